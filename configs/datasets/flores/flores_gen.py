"""FLORES-200, first 100 sentences: translation from and into English, with eight examples."""

from tasks.data.benchmarks.flores import FloresFirst100Dataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import FixKRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.dataset_postprocessors import flores_postprocess
from tasks.score.evaluators.overlap import TranslationEvaluator

flores_languages = {
    "ara": ("arb_Arab", "Arabic"),
    "ben": ("ben_Beng", "Bengali"),
    "ces": ("ces_Latn", "Czech"),
    "deu": ("deu_Latn", "German"),
    "fra": ("fra_Latn", "French"),
    "hin": ("hin_Deva", "Hindi"),
    "ind": ("ind_Latn", "Indonesian"),
    "ita": ("ita_Latn", "Italian"),
    "jpn": ("jpn_Jpan", "Japanese"),
    "kor": ("kor_Hang", "Korean"),
    "nld": ("nld_Latn", "Dutch"),
    "pol": ("pol_Latn", "Polish"),
    "por": ("por_Latn", "Portuguese"),
    "rus": ("rus_Cyrl", "Russian"),
    "spa": ("spa_Latn", "Spanish"),
    "swh": ("swh_Latn", "Swahili"),
    "tha": ("tha_Thai", "Thai"),
    "tur": ("tur_Latn", "Turkish"),
    "ukr": ("ukr_Cyrl", "Ukrainian"),
    "vie": ("vie_Latn", "Vietnamese"),
    "zho_simpl": ("zho_Hans", "simplified Chinese"),
}
flores_english = ("eng", "eng_Latn", "English")
flores_tokenizers = {"zho_Hans": "zh", "jpn_Jpan": "char", "tha_Thai": "char"}

flores_pairs = [(flores_english, (short, *language)) for short, language in flores_languages.items()] + [
    ((short, *language), flores_english) for short, language in flores_languages.items()
]

flores_datasets = [
    dict(
        abbr=f"flores_100_{source[0]}-{target[0]}",
        type=FloresFirst100Dataset,
        path="opencompass/flores",
        name=f"{source[1]}-{target[1]}",
        reader_cfg=dict(
            input_columns=[f"sentence_{source[1]}"],
            output_column=f"sentence_{target[1]}",
            train_split="dev",
            test_split="devtest",
        ),
        infer_cfg=dict(
            ice_template=dict(
                type=PromptTemplate,
                template=dict(
                    begin="</E>",
                    round=[
                        dict(
                            role="HUMAN",
                            prompt=f"Translate from {source[2]} to {target[2]}:\n{{sentence_{source[1]}}}",
                        ),
                        dict(role="BOT", prompt=f"{{sentence_{target[1]}}}"),
                    ],
                ),
                ice_token="</E>",
            ),
            retriever=dict(type=FixKRetriever, fix_id_list=[0, 1, 2, 3, 4, 5, 6, 7]),
            inferencer=dict(type=GenInferencer, max_out_len=256),
        ),
        eval_cfg=dict(
            evaluator=dict(type=TranslationEvaluator, tokenize=flores_tokenizers.get(target[1])),
            pred_role="BOT",
            pred_postprocessor=dict(type=flores_postprocess),
        ),
    )
    for source, target in flores_pairs
]
