#include "properties/contracts/rungs.hpp"

#include <algorithm>
#include <numeric>

namespace assay::contracts {

std::vector<std::size_t> places_in_contracts(const std::vector<const std::string*>& ids, const std::string& operation) {
  const std::vector<Contract>& contracts = find_operation(operation)->contracts;
  std::vector<std::size_t> places(ids.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, {}, [&](std::size_t place) {
    return std::ranges::find(contracts, *ids[place], &Contract::id) - contracts.begin();
  });
  return places;
}

}  // namespace assay::contracts
