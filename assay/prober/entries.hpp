#pragma once
// Entries of a library's product that are computed alike.

#include "assay/prober/unit.hpp"

namespace assay::prober {

/// The unit itself; except that for a library's product whose entries differ for equal rows and columns it is a unit
/// that uses only the entries with the bits of entry (0, 0). Unit::entries then describes how many there are. Libraries
/// compute some entries in another order than the rest. Errors: those of unit.compute().
Unit of_entries_alike(const Unit& unit);

}  // namespace assay::prober
