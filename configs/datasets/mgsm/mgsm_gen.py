"""MGSM: the same 250 problems in eleven languages, asked in the language of the question."""

from tasks.data.benchmarks.mgsm import MGSMSDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.benchmarks.mgsm import MGSM_Evaluator, mgsm_postprocess

mgsm_instructions = {
    "bn": 'এই সমস্যাটি ধাপে ধাপে সমাধান করুন। শেষে "উত্তর: N" আকারে একটি লাইন লিখুন, যেখানে N হলো একক ছাড়া পূর্ণসংখ্যায় ফলাফল।',
    "de": "Löse diese Aufgabe Schritt für Schritt. Schließe mit einer Zeile der Form „Antwort: N“, in der N das "
    "Ergebnis als ganze Zahl ohne Einheit ist.",
    "en": 'Solve this problem step by step. Close with a line of the form "Answer: N", where N is the result as a '
    "whole number without a unit.",
    "es": "Resuelve este problema paso a paso. Termina con una línea de la forma «Respuesta: N», donde N es el "
    "resultado como número entero sin unidades.",
    "fr": "Résous ce problème étape par étape. Termine par une ligne de la forme « Réponse: N », où N est le résultat "
    "sous forme de nombre entier sans unité.",
    "ja": "この問題を段階を追って解いてください。最後に「答え: N」という形の行を書いてください。N "
    "は単位を付けない整数の結果です。",
    "ru": "Реши эту задачу по шагам. В конце напиши строку вида «Ответ: N», где N — результат в виде целого числа без "
    "единиц измерения.",
    "sw": 'Tatua tatizo hili hatua kwa hatua. Malizia kwa mstari wa namna ya "Jibu: N", ambapo N ni matokeo kama namba '
    "kamili bila kipimo.",
    "te": 'ఈ సమస్యను దశలవారీగా పరిష్కరించండి. చివరగా "సమాధానం: N" రూపంలో ఒక వరుస రాయండి; N అంటే ప్రమాణం లేకుండా పూర్ణాంకంగా వచ్చిన ఫలితం.',
    "th": 'จงแก้โจทย์นี้ทีละขั้นตอน แล้วจบด้วยบรรทัดในรูปแบบ "คำตอบ: N" โดยที่ N คือผลลัพธ์เป็นจำนวนเต็มไม่มีหน่วย',
    "zh": "请一步一步地解答这道题。最后单独写一行“答案: N”，其中 N 是不带单位的整数结果。",
}

mgsm_datasets = [
    dict(
        abbr=f"mgsm_{lang}",
        type=MGSMSDataset,
        path=f"data/mgsm/mgsm_{lang}.tsv",
        reader_cfg=dict(input_columns=["question"], output_column="answer"),
        infer_cfg=dict(
            prompt_template=dict(
                type=PromptTemplate,
                template=dict(round=[dict(role="HUMAN", prompt=f"{instruction}\n\n{{question}}")]),
            ),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer, max_out_len=1024),
        ),
        eval_cfg=dict(
            evaluator=dict(type=MGSM_Evaluator),
            pred_role="BOT",
            pred_postprocessor=dict(type=mgsm_postprocess, lang=lang),
        ),
    )
    for lang, instruction in mgsm_instructions.items()
]
