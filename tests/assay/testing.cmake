assay_test(testing_test SOURCES testing_test.cpp USES assay::testing)
