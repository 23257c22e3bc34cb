#pragma once
// Bounds that the theorems of docs/bounds/collective.md use.

#include "errorbounds/contract.hpp"
#include "errorbounds/sum.hpp"
