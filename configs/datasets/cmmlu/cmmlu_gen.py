"""CMMLU for chat models: reason, then name an option."""

from tasks.data.benchmarks.cmmlu import CMMLUDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator

cmmlu_subjects = {
    "stem": {
        "anatomy": "解剖学",
        "astronomy": "天文学",
        "college_actuarial_science": "大学精算学",
        "college_engineering_hydrology": "大学工程水文学",
        "college_mathematics": "大学数学",
        "college_medical_statistics": "大学医学统计",
        "computer_science": "计算机科学",
        "conceptual_physics": "概念物理学",
        "electrical_engineering": "电气工程",
        "elementary_mathematics": "初等数学",
        "genetics": "遗传学",
        "high_school_biology": "高中生物",
        "high_school_chemistry": "高中化学",
        "high_school_mathematics": "高中数学",
        "high_school_physics": "高中物理学",
        "machine_learning": "机器学习",
        "virology": "病毒学",
    },
    "humanities": {
        "arts": "艺术学",
        "chinese_history": "中国历史",
        "chinese_literature": "中国文学",
        "college_law": "大学法律",
        "global_facts": "全球事实",
        "international_law": "国际法学",
        "jurisprudence": "法理学",
        "logical": "逻辑学",
        "marxist_theory": "马克思主义理论",
        "philosophy": "哲学",
        "professional_law": "专业法学",
        "world_history": "世界历史",
        "world_religions": "世界宗教",
    },
    "social-science": {
        "ancient_chinese": "古汉语",
        "business_ethics": "商业伦理",
        "chinese_civil_service_exam": "中国公务员考试",
        "chinese_food_culture": "中国饮食文化",
        "chinese_foreign_policy": "中国外交政策",
        "chinese_teacher_qualification": "中国教师资格",
        "college_education": "大学教育学",
        "economics": "经济学",
        "education": "教育学",
        "elementary_chinese": "小学语文",
        "ethnology": "民族学",
        "high_school_geography": "高中地理",
        "high_school_politics": "高中政治",
        "journalism": "新闻学",
        "management": "管理学",
        "marketing": "市场营销",
        "modern_chinese": "现代汉语",
        "professional_accounting": "专业会计",
        "professional_psychology": "专业心理学",
        "public_relations": "公共关系",
        "security_study": "安全研究",
        "sociology": "社会学",
    },
    "other": {
        "agronomy": "农学",
        "chinese_driving_rule": "中国驾驶规则",
        "clinical_knowledge": "临床知识",
        "college_medicine": "大学医学",
        "computer_security": "计算机安全",
        "construction_project_management": "建设工程管理",
        "elementary_commonsense": "小学常识",
        "elementary_information_and_technology": "小学信息技术",
        "food_science": "食品科学",
        "human_sexuality": "人类性行为",
        "legal_and_moral_basis": "法律与道德基础",
        "nutrition": "营养学",
        "professional_medicine": "专业医学",
        "sports_science": "体育学",
        "traditional_chinese_medicine": "中医中药",
    },
}
cmmlu_reader_cfg = dict(
    input_columns=["question", "A", "B", "C", "D"], output_column="answer", train_split="dev", test_split="test"
)

cmmlu_datasets = [
    dict(
        abbr=f"cmmlu-{name}",
        type=CMMLUDataset,
        path="opencompass/cmmlu",
        name=name,
        reader_cfg=cmmlu_reader_cfg,
        infer_cfg=dict(
            prompt_template=dict(
                type=PromptTemplate,
                template=dict(
                    round=[
                        dict(
                            role="HUMAN",
                            prompt=f"这是一道关于{title}的单项选择题。请先逐步分析，最后另起一行写“答案: X”，其中 X "
                            "是正确选项的字母。\n\n"
                            "{question}\n\nA) {A}\nB) {B}\nC) {C}\nD) {D}",
                        )
                    ]
                ),
            ),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer, max_out_len=1024),
        ),
        eval_cfg=dict(
            evaluator=dict(type=AccEvaluator),
            pred_role="BOT",
            pred_postprocessor=dict(type=first_option_postprocess, options="ABCD"),
        ),
    )
    for subjects in cmmlu_subjects.values()
    for name, title in subjects.items()
]
