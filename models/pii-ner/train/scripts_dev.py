"""
Writes sentences about invented people in scripts for which no set is at hand: python scripts_dev.py --out FILE

Sentences written for this project, filled with names and towns of Faker (MIT); none is trained on. One JSON line each, with spans in
UTF-16 units. They tell whether a script is read at all, not how well: real text is harder.
"""

import argparse
import json
import random
import re
from pathlib import Path

from faker import Faker

LOCALES = {"zh": ["zh_CN", "zh_TW"], "ja": ["ja_JP"], "ko": ["ko_KR"], "ar": ["ar_AA"], "he": ["he_IL"], "hi": ["hi_IN"], "th": ["th_TH"]}
SENTENCES = {
    "zh": ["{PER}昨天从{LOC}打来电话，说合同还没有签。", "患者{PER}，住在{LOC}，于周一入院。", "請將發票寄給{PER}。",
           "我和同事{PER}下个月去{LOC}开会。", "原告{PER}要求被告{PER}赔偿损失。", "会议开始前，请把材料发给大家。"],
    "ja": ["{PER}さんは昨日{LOC}から電話をかけてきました。", "患者の{PER}は{LOC}に住んでいます。", "請求書は{PER}様宛にお送りください。",
           "来月、同僚の{PER}と{LOC}へ出張します。", "原告{PER}は被告{PER}に損害賠償を求めた。", "会議の前に資料を全員に送ってください。"],
    "ko": ["{PER} 씨가 어제 {LOC}에서 전화했습니다.", "환자 {PER}은 {LOC}에 살고 있습니다.", "청구서를 {PER}님께 보내 주세요.",
           "다음 달에 동료 {PER}와 {LOC}에 출장을 갑니다.", "원고 {PER}는 피고 {PER}에게 배상을 요구했다.", "회의 전에 자료를 모두에게 보내 주세요."],
    "ar": ["اتصل {PER} أمس من {LOC} وقال إن العقد لم يوقع بعد.", "يعيش المريض {PER} في {LOC}.", "يرجى إرسال الفاتورة إلى السيد {PER}.",
           "سأسافر الشهر القادم مع زميلي {PER} إلى {LOC}.", "طالب المدعي {PER} المدعى عليه {PER} بالتعويض.", "يرجى إرسال المواد إلى الجميع قبل الاجتماع."],
    "he": ["אתמול התקשר {PER} מ{LOC} ואמר שהחוזה עוד לא נחתם.", "החולה {PER} גר ברחוב הראשי של {LOC}.", "נא לשלוח את החשבונית אל מר {PER}.",
           "בחודש הבא אסע עם הקולגה שלי {PER} אל {LOC}.", "התובע {PER} דרש פיצויים מן הנתבע {PER}.", "נא לשלוח את החומר לכולם לפני הישיבה."],
    "hi": ["{PER} ने कल {LOC} से फ़ोन किया।", "रोगी {PER} {LOC} में रहते हैं।", "कृपया बिल श्री {PER} को भेजें।",
           "अगले महीने मैं अपने सहकर्मी {PER} के साथ {LOC} जाऊँगा।", "वादी {PER} ने प्रतिवादी {PER} से मुआवज़ा माँगा।", "कृपया बैठक से पहले सामग्री सबको भेज दें।"],
    "th": ["คุณ{PER}โทรมาจาก{LOC}เมื่อวานนี้", "ผู้ป่วยชื่อ{PER} อาศัยอยู่ที่{LOC}", "กรุณาส่งใบแจ้งหนี้ให้คุณ{PER}",
           "เดือนหน้าฉันจะไป{LOC}กับเพื่อนร่วมงานชื่อ{PER}", "โจทก์{PER}เรียกค่าเสียหายจากจำเลย{PER}", "กรุณาส่งเอกสารให้ทุกคนก่อนการประชุม"]}
ARAB = ["القاهرة", "الإسكندرية", "بغداد", "البصرة", "دمشق", "حلب", "بيروت", "عمّان", "الرياض", "جدة", "الرباط", "تونس", "الجزائر", "الخرطوم"]
EACH = 12  # times that each sentence is filled


def filled(sentence, people, towns, rng):
    text, spans, at = "", [], 0
    for slot in re.finditer(r"\{(PER|LOC)\}", sentence):
        text += sentence[at:slot.start()]
        value = rng.choice(people if slot[1] == "PER" else towns)
        spans.append({"start": units(text), "end": units(text + value), "type": slot[1]})
        text, at = text + value, slot.end()
    return text + sentence[at:], spans


def units(text):
    return len(text.encode("utf-16-le")) // 2


def pool(locales, make):
    fakes = [Faker(locale) for locale in locales]
    for fake in fakes:
        fake.seed_instance(17)
    return [make(fake) for fake in fakes for _ in range(300 // len(fakes))]


def person(fake):
    """First and last name in the order of the language, without titles and, in Japanese, without the blank that none is written."""
    locale = fake.locales[0]
    if locale.startswith(("zh", "ja", "ko")):
        return fake.name().replace(" ", "")
    return f"{fake.first_name()} {fake.last_name()}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    rng = random.Random(17)
    rows = []
    for lang, locales in LOCALES.items():
        people = pool(locales, person)
        # Faker's Arabic towns are half English.
        towns = ARAB if lang == "ar" else pool(locales, lambda fake: fake.city())
        for n, sentence in enumerate(SENTENCES[lang] * EACH):
            text, spans = filled(sentence, people, towns, rng)
            rows.append({"id": f"{lang}-{n}", "lang": lang, "text": text, "spans": spans})
    args.out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


if __name__ == "__main__":
    main()
