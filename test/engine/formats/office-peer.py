"""Opens each Office file named on standard input as python-docx, openpyxl and python-pptx do; prints what they say."""
import sys
import warnings

import docx
import openpyxl
import pptx

warnings.simplefilter("ignore")


def word(file):
    document = docx.Document(file)
    for paragraph in document.paragraphs:
        paragraph.text
    for table in document.tables:
        for row in table.rows:
            [cell.text for cell in row.cells]


def excel(file):
    for sheet in openpyxl.load_workbook(file).worksheets:
        for _ in sheet.iter_rows(values_only=True):
            pass


def powerpoint(file):
    for slide in pptx.Presentation(file).slides:
        [shape.name for shape in slide.shapes]


readers = {"docx": word, "xlsx": excel, "pptx": powerpoint}
for line in sys.stdin:
    kind, path = line.rstrip("\n").split("\t")
    try:
        with open(path, "rb") as file:
            readers[kind](file)
        print("ok")
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[:1])
