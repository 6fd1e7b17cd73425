"""
Makes Parquet files with Arrow, compares two of them, makes one whose first columns have one name, and shows the columns of one:
python parquet-peer.py make FOLDER | compare BEFORE AFTER | twins FILE | show FILE
"""

import datetime
import decimal
import json
import sys

import pyarrow
import pyarrow.parquet

ROWS = 2000


def column(make, kind=None):
    return pyarrow.array([make(n) for n in range(ROWS)], kind)


def table():
    day = datetime.datetime(1960, 1, 1, 3, 4, 5)
    later = [day + datetime.timedelta(n) for n in range(ROWS)]
    mail = lambda n: f"p{n}@example.org é"
    person = lambda n: None if n % 11 == 0 else {"name": f"N{n}", "mail": None if n % 3 == 0 else mail(n), "age": n % 90}
    return pyarrow.table(
        {
            "mail": column(lambda n: [None, "", mail(n), "ordinary"][n % 4]),
            "tags": column(lambda n: [None, [], [mail(n), None], ["x"]][n % 4], pyarrow.list_(pyarrow.string())),
            "person": column(person),
            "people": column(lambda n: [{"mail": mail(n)}] * (n % 3)),
            "attributes": column(lambda n: [("k", mail(n))] if n % 2 else [], pyarrow.map_(pyarrow.string(), pyarrow.string())),
            "large": column(mail, pyarrow.large_string()),
            "category": column(lambda n: f"c{n % 3}").dictionary_encode(),
            "id": column(lambda n: n * 7),
            "money": column(lambda n: decimal.Decimal(n - 900) / 100, pyarrow.decimal128(20, 2)),
            "wide": column(lambda n: decimal.Decimal(n - 900), pyarrow.decimal256(60, 0)),
            "day": pyarrow.array(later).cast(pyarrow.date32()),
            "local": pyarrow.array(later, pyarrow.timestamp("us", tz="Europe/Oslo")),
            "nanos": pyarrow.array(later, pyarrow.timestamp("ns")),
            "span": column(lambda n: n, pyarrow.duration("ms")),
            "clock": column(lambda n: datetime.time(n % 24, n % 60), pyarrow.time64("us")),
            "u8": column(lambda n: n % 256, pyarrow.uint8()),
            "u64": column(lambda n: 2**64 - 1 - n, pyarrow.uint64()),
            "i16": column(lambda n: n - 1000, pyarrow.int16()),
            "f16": column(lambda n: float(n % 64) / 4).cast(pyarrow.float16()),
            "f32": column(lambda n: n / 10, pyarrow.float32()),
            "f64": column(lambda n: [float("nan"), -0.0, n * 1.1, float("inf")][n % 4]),
            "bytes": column(lambda n: bytes([n % 256, 200, 255]), pyarrow.binary()),
            "fixed": column(lambda n: b"ab%06d" % n, pyarrow.binary(8)),
            "flag": column(lambda n: [None, True, False][n % 3]),
            "nothing": pyarrow.nulls(ROWS),
        }
    )


def make(folder):
    data = table()
    write = lambda name, part=data, **more: pyarrow.parquet.write_table(part, f"{folder}/{name}.parquet", **more)
    for codec in ["NONE", "SNAPPY", "GZIP", "ZSTD", "LZ4", "BROTLI"]:
        for version in ["1.0", "2.0"]:
            more = {"compression": codec, "data_page_version": version, "data_page_size": 4096}
            write(f"{codec}-{version}", row_group_size=700, write_page_index=True, **more)
    deltas = {"id": "DELTA_BINARY_PACKED", "mail": "DELTA_BYTE_ARRAY", "large": "DELTA_LENGTH_BYTE_ARRAY"}
    split = {"f64": "BYTE_STREAM_SPLIT", "f32": "BYTE_STREAM_SPLIT"}
    encoded = {**deltas, **split, "u64": "DELTA_BINARY_PACKED", "day": "DELTA_BINARY_PACKED"}
    sorting = [pyarrow.parquet.SortingColumn(0)]
    write("encodings", data.select(list(encoded)), use_dictionary=False, column_encoding=encoded, sorting_columns=sorting)
    write("int96", data.select(["nanos", "mail"]), use_deprecated_int96_timestamps=True)


def compare(before, after):
    a, b = pyarrow.parquet.ParquetFile(before), pyarrow.parquet.ParquetFile(after)
    x, y = a.read(), b.read()
    same = lambda name: x[name].combine_chunks().equals(y[name].combine_chunks()) or (
        repr(x[name].to_pylist()) == repr(y[name].to_pylist())
    )
    nulls = lambda part: {name: part[name].null_count for name in part.column_names}
    print(
        json.dumps(
            {
                "schema": x.schema.equals(y.schema, check_metadata=True) and a.schema.equals(b.schema),
                "nulls": nulls(x) == nulls(y),
                "rows": [x.num_rows, y.num_rows],
                "differ": [name for name in x.column_names if not same(name)],
            }
        )
    )


def twins(path):
    columns = [["a@example.org", "x"], ["y", "c@example.org"], [1, 2]]
    pyarrow.parquet.write_table(pyarrow.table(columns, names=["a", "a", "n"]), path)


def show(path):
    data = pyarrow.parquet.ParquetFile(path).read()
    print(json.dumps([[name, *column.to_pylist()] for name, column in zip(data.column_names, data.columns)]))


{"make": make, "compare": compare, "twins": twins, "show": show}[sys.argv[1]](*sys.argv[2:])
