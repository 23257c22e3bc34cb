# Runs every planted mistake. Each must be caught. If FILE is given and the run includes all rows, they are written to
# FILE, where the main job finds them for its report; otherwise there is no such file afterwards. Arguments: COMMAND,
# which prints the document; FILE.
cmake_minimum_required(VERSION 3.25)
file(REMOVE "${FILE}")
execute_process(COMMAND ${COMMAND} RESULT_VARIABLE status OUTPUT_VARIABLE rows)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${COMMAND}: exit ${status}\n${rows}")
endif()
file(WRITE "${FILE}" "${rows}")
