# testing.hpp alone: matchers for tests of one's own, which link GTest::gmock themselves.
assay_room(testing USES assay::errorbounds assay::oracle)
