#pragma once
// Entries of a library's product that are computed alike.

#include "assay/prober/unit.hpp"

namespace assay::prober {

/// The unit, or where it is a library's product whose entries differ for the same row and column, a unit that asks
/// those entries alone that give the bits of entry (0, 0). Unit::entries then says how many there are. Libraries
/// compute some entries in another order than others. Errors: those of unit.compute().
Unit of_entries_alike(const Unit& unit);

}  // namespace assay::prober
