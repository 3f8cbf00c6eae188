"""GSM8K for base models: four worked examples as one text that the model continues."""

from tasks.data.benchmarks.gsm8k import GSM8KDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import gsm8k_dataset_postprocess, gsm8k_postprocess
from tasks.score.evaluators.exact import Gsm8kEvaluator

gsm8k_reader_cfg = dict(input_columns=["question"], output_column="answer")

gsm8k_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template="""\
Problem: A bakery fills 18 trays with 12 rolls each. It sells 150 rolls before noon and half of what is left \
after noon. How many rolls remain at closing time?
Solution: The bakery makes 18 * 12 = 216 rolls. After the morning 216 - 150 = 66 rolls are left. Half of them \
are sold after noon, which is 66 / 2 = 33 rolls. So 66 - 33 = 33 rolls remain. The answer is 33

Problem: Renting a canoe costs $25 for the first hour and $9 for each further hour. Four friends share the \
price of a 5 hour trip equally, and each also buys a $3 lunch. How many dollars does each of them spend?
Solution: After the first hour there are 5 - 1 = 4 further hours, which cost 4 * 9 = 36 dollars. The canoe \
costs 25 + 36 = 61 dollars altogether. Each friend pays 61 / 4 = 15.25 dollars for it. With lunch that is \
15.25 + 3 = 18.25 dollars. The answer is 18.25

Problem: Ines is three times as old as her cousin Paul. In 6 years the sum of their ages will be 44. How old \
is Ines now?
Solution: In 6 years both of them together will have gained 2 * 6 = 12 years. So now their ages add up to 44 - \
12 = 32. Paul's age and three times his age make four times his age, so Paul is 32 / 4 = 8. Ines is 3 * 8 = 24 \
years old. The answer is 24

Problem: A shop lowers the price of an $80 coat by 15%. A customer with a card gets a further $5 off the lower \
price and buys two coats. What does the customer pay in dollars?
Solution: 15% of 80 dollars is 80 * 15 / 100 = 12 dollars. The lower price is 80 - 12 = 68 dollars. With the \
card a coat costs 68 - 5 = 63 dollars. Two coats cost 2 * 63 = 126 dollars. The answer is 126

Problem: {question}
Solution:""",
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=512, stopping_criteria=["\n\nProblem:", "Problem:"]),
)

gsm8k_eval_cfg = dict(
    evaluator=dict(type=Gsm8kEvaluator),
    pred_postprocessor=dict(type=gsm8k_postprocess),
    dataset_postprocessor=dict(type=gsm8k_dataset_postprocess),
)

gsm8k_datasets = [
    dict(
        abbr="gsm8k",
        type=GSM8KDataset,
        path="opencompass/gsm8k",
        reader_cfg=gsm8k_reader_cfg,
        infer_cfg=gsm8k_infer_cfg,
        eval_cfg=gsm8k_eval_cfg,
    )
]
