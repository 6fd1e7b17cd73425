"""Makes the small tokenizers that ours are compared on: python make.py (needs tokenizers and sentencepiece)."""

import base64
import json
import random
import unicodedata
from pathlib import Path

import sentencepiece
from sentencepiece import sentencepiece_model_pb2
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

HERE = Path(__file__).parent
rng = random.Random(1)
WORDS = """the of and to in is was for that with on as at by from he she they it this which are be have not people time
Stockholm Göteborg Müller Straße niño corazón São Paulo ação Ærø fjord œuvre naïve Łódź żółw Привет мир здравствуй Москва
日本 東京 你好 世界 한국 서울 שלום مرحبا سلام नमस्ते ไทย Ελλάδα άνθρωπος 😀 👩‍👩‍👧 € £ § → patient hospital contract invoice
number address telephone doctor lawyer running jumped unbelievable international 1984 2026 3.14 12:30 e-mail don't we'll""".split()


def lines(count):
    for _ in range(count):
        yield " ".join(rng.choice(WORDS) + rng.choice(["", "", "", ",", ".", "!", "s", "ing"]) for _ in range(rng.randint(3, 20)))


corpus = list(lines(4000))


def save(tokenizer, name):
    (HERE / f"{name}.json").write_text(json.dumps(json.loads(tokenizer.to_str()), ensure_ascii=False))


def template(cls, sep, tokenizer):
    return processors.TemplateProcessing(single=f"{cls} $A {sep}", special_tokens=[(t, tokenizer.token_to_id(t)) for t in (cls, sep)])


# BERT, cased
t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
t.normalizer = normalizers.BertNormalizer(lowercase=False)
t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
t.train_from_iterator(corpus, trainers.WordPieceTrainer(vocab_size=900, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]))
t.post_processor = template("[CLS]", "[SEP]", t)
save(t, "wordpiece")

# RoBERTa
t = Tokenizer(models.BPE())
t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
t.train_from_iterator(corpus, trainers.BpeTrainer(vocab_size=1100, special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
                                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
t.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=True)
save(t, "bpe")

# XLM-RoBERTa: a character map (here of some thousand rules), Metaspace, Unigram
rules = {}
for code in [*range(0xA0, 0x250), *range(0xFB00, 0xFB07), *range(0xFF01, 0xFF5F), *range(0x2070, 0x2190), *range(0x3300, 0x3358)]:
    c, n = chr(code), unicodedata.normalize("NFKC", chr(code))
    if n != c:
        rules[c] = n
    d = unicodedata.normalize("NFD", c)
    if len(d) > 1 and unicodedata.normalize("NFC", d) == c:
        rules[d] = c
for code in [0x200B, 0xFEFF, *range(1, 9)]:
    rules[chr(code)] = ""
for code in [0x9, 0xA, 0xD, 0x2028, 0x3000]:
    rules[chr(code)] = " "
(HERE / "rules.tsv").write_text("".join(
    f"{' '.join(f'{ord(c):X}' for c in k)}\t{' '.join(f'{ord(c):X}' for c in v)}\n" for k, v in rules.items()))
(HERE / "corpus.txt").write_text("\n".join(corpus))
sentencepiece.SentencePieceTrainer.train(
    input=str(HERE / "corpus.txt"), model_prefix=str(HERE / "sp"), vocab_size=700, hard_vocab_limit=False, model_type="unigram", num_threads=1,
    normalization_rule_tsv=str(HERE / "rules.tsv"), character_coverage=0.995, minloglevel=2)
proto = sentencepiece_model_pb2.ModelProto()
proto.ParseFromString((HERE / "sp.model").read_bytes())
charsmap = base64.b64encode(proto.normalizer_spec.precompiled_charsmap).decode()
pieces = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)]
pieces += [(p.piece, round(p.score, 4)) for p in proto.pieces if p.type == 1]
t = Tokenizer(models.Unigram(pieces, 3, False))
file = json.loads(t.to_str())
file["normalizer"] = {"type": "Precompiled", "precompiled_charsmap": charsmap}
file["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [
    {"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}]}
file["added_tokens"] = [{"id": i, "content": c, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
                         "special": True} for i, (c, _) in enumerate(pieces[:4])]
t = Tokenizer.from_str(json.dumps(file))
t.post_processor = template("<s>", "</s>", t)
save(t, "unigram")

# DeBERTa v3: strips, squeezes blanks, Metaspace alone
file["normalizer"] = {"type": "Sequence", "normalizers": [
    {"type": "Strip", "strip_left": True, "strip_right": True}, {"type": "Precompiled", "precompiled_charsmap": charsmap},
    {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]}
file["pre_tokenizer"] = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
t = Tokenizer.from_str(json.dumps(file))
t.post_processor = template("<s>", "</s>", t)
save(t, "unigram-spaces")
for name in ("rules.tsv", "corpus.txt", "sp.model", "sp.vocab"):
    (HERE / name).unlink()
