"""Validates files against JSON Schemas: validate.py SCHEMA FILE [SCHEMA FILE …]; 77 without the module jsonschema."""
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3 has no module jsonschema")
    sys.exit(77)

failed = False
for schema_path, file_path in zip(sys.argv[1::2], sys.argv[2::2]):
    schema = json.loads(pathlib.Path(schema_path).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    document = json.loads(pathlib.Path(file_path).read_text(encoding="utf-8"))
    for error in jsonschema.Draft202012Validator(schema).iter_errors(document):
        print(f"{file_path}: {error.json_path}: {error.message}")
        failed = True
sys.exit(1 if failed else 0)
