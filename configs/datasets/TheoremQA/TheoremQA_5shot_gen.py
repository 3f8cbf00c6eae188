"""TheoremQA with five worked examples, for base and chat models."""

from tasks.prompts.templates import PromptTemplate
from tasks.spec import read_base

with read_base():
    from .TheoremQA_gen import TheoremQA_datasets

_examples = {
    "What is the sum of the interior angles of a convex polygon with 9 sides, in degrees?": "The angles of a convex "
    "polygon with n sides add up to (n - 2) * 180 degrees. For n = 9 that is 7 * 180 = 1260. The answer is 1260.",
    "Is every continuous function on a closed and bounded interval of the real line uniformly continuous?": "The Heine-"
    "Cantor theorem says so for continuous functions on compact sets, and a closed and bounded interval is compact. "
    "The answer is True.",
    "A fair die is thrown until the first six appears. What is the expected number of throws?": "The number of throws "
    "follows a geometric distribution with p = 1/6, whose mean is 1/p = 6. The answer is 6.",
    "What are the eigenvalues of the matrix [[2, 1], [1, 2]]? Give them as a list.": "The characteristic polynomial is "
    "(2 - x)^2 - 1 = (x - 1)(x - 3), whose roots are 1 and 3. The answer is [1, 3].",
    "Which of these describes the derivative of ln(x) at x = 4? (a) 0.25 (b) 4 (c) 1.386": "The derivative of ln(x) is "
    "1/x, which is 1/4 = 0.25 at x = 4. That is option (a). The answer is (a).",
}

TheoremQA_datasets[0]["infer_cfg"]["prompt_template"] = dict(
    type=PromptTemplate,
    template=dict(
        round=[
            *(
                turn
                for question, solution in _examples.items()
                for turn in (
                    dict(role="HUMAN", prompt=f"Problem: {question}\nSolution:"),
                    dict(role="BOT", prompt=solution),
                )
            ),
            dict(role="HUMAN", prompt="Problem: {Question}\nSolution:"),
        ]
    ),
)
TheoremQA_datasets[0]["infer_cfg"]["inferencer"]["stopping_criteria"] = ["\nProblem:"]
