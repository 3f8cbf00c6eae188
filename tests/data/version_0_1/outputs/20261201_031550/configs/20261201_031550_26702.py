datasets = [
    dict(
        abbr='sums',
        eval_cfg=dict(
            evaluator=dict(type='tasks.score.evaluators.AccEvaluator'),
            pred_postprocessor=dict(type='tasks.score.postprocessors.gsm8k_postprocess'),
        ),
        infer_cfg=dict(
            inferencer=dict(max_out_len=16, type='tasks.infer.inferencers.GenInferencer'),
            prompt_template=dict(
                template=dict(round=[dict(prompt='{question}', role='HUMAN')]),
                type='opencompass.openicl.icl_prompt_template.PromptTemplate',
            ),
            retriever=dict(type='opencompass.openicl.icl_retriever.ZeroRetriever'),
        ),
        path='sums.jsonl',
        reader_cfg=dict(input_columns=['question'], output_column='answer'),
        type='tasks.data.custom.CustomDataset',
    ),
    dict(
        abbr='judged',
        eval_cfg=dict(
            evaluator=dict(
                dataset_cfg=dict(
                    path='sums.jsonl',
                    reader_cfg=dict(input_columns=['question'], output_column='answer'),
                    type='tasks.data.custom.CustomDataset',
                ),
                dict_postprocessor=dict(type='opencompass.datasets.generic_llmjudge_postprocess'),
                judge_cfg=dict(
                    abbr='judge',
                    key='EMPTY',
                    openai_api_base='http://127.0.0.1:9/v1',
                    path='the-judge',
                    retry=0,
                    type='tasks.models.openai_chat.OpenAISDK',
                ),
                prompt_template=dict(
                    template=dict(
                        round=[
                            dict(
                                prompt='GOLD: {obj_gold} SAID: {prediction} (A: CORRECT, B: INCORRECT)',
                                role='HUMAN',
                            ),
                        ],
                    ),
                    type='opencompass.openicl.icl_prompt_template.PromptTemplate',
                ),
                type='opencompass.evaluator.GenericLLMEvaluator',
            ),
        ),
        infer_cfg=dict(
            inferencer=dict(max_out_len=16, type='tasks.infer.inferencers.GenInferencer'),
            prompt_template=dict(
                template=dict(round=[dict(prompt='{question}', role='HUMAN')]),
                type='opencompass.openicl.icl_prompt_template.PromptTemplate',
            ),
            retriever=dict(type='opencompass.openicl.icl_retriever.ZeroRetriever'),
        ),
        path='sums.jsonl',
        reader_cfg=dict(input_columns=['question'], output_column='answer'),
        type='tasks.data.custom.CustomDataset',
    ),
    dict(
        abbr='own',
        eval_cfg=dict(evaluator=dict(type='own_scoring.BracketEvaluator')),
        infer_cfg=dict(
            inferencer=dict(max_out_len=16, type='tasks.infer.inferencers.GenInferencer'),
            prompt_template=dict(
                template=dict(round=[dict(prompt='{question}', role='HUMAN')]),
                type='opencompass.openicl.icl_prompt_template.PromptTemplate',
            ),
            retriever=dict(type='opencompass.openicl.icl_retriever.ZeroRetriever'),
        ),
        path='sums.jsonl',
        reader_cfg=dict(input_columns=['question'], output_column='answer'),
        type='tasks.data.custom.CustomDataset',
    ),
    dict(
        abbr='choices',
        eval_cfg=dict(evaluator=dict(type='opencompass.openicl.icl_evaluator.AccEvaluator')),
        infer_cfg=dict(
            inferencer=dict(type='tasks.infer.inferencers.PPLInferencer'),
            prompt_template=dict(
                template={'3': '{question} 3', '7': '{question} 7'},
                type='opencompass.openicl.icl_prompt_template.PromptTemplate',
            ),
            retriever=dict(type='opencompass.openicl.icl_retriever.ZeroRetriever'),
        ),
        path='sums.jsonl',
        reader_cfg=dict(input_columns=['question'], output_column='answer'),
        type='tasks.data.custom.CustomDataset',
    ),
]

model_dataset_combinations = [
    dict(
        datasets=[
            dict(
                abbr='sums',
                eval_cfg=dict(
                    evaluator=dict(type='tasks.score.evaluators.AccEvaluator'),
                    pred_postprocessor=dict(type='tasks.score.postprocessors.gsm8k_postprocess'),
                ),
                infer_cfg=dict(
                    inferencer=dict(max_out_len=16, type='tasks.infer.inferencers.GenInferencer'),
                    prompt_template=dict(
                        template=dict(round=[dict(prompt='{question}', role='HUMAN')]),
                        type='opencompass.openicl.icl_prompt_template.PromptTemplate',
                    ),
                    retriever=dict(type='opencompass.openicl.icl_retriever.ZeroRetriever'),
                ),
                path='sums.jsonl',
                reader_cfg=dict(input_columns=['question'], output_column='answer'),
                type='tasks.data.custom.CustomDataset',
            ),
            dict(
                abbr='judged',
                eval_cfg=dict(
                    evaluator=dict(
                        dataset_cfg=dict(
                            path='sums.jsonl',
                            reader_cfg=dict(input_columns=['question'], output_column='answer'),
                            type='tasks.data.custom.CustomDataset',
                        ),
                        dict_postprocessor=dict(type='opencompass.datasets.generic_llmjudge_postprocess'),
                        judge_cfg=dict(
                            abbr='judge',
                            key='EMPTY',
                            openai_api_base='http://127.0.0.1:9/v1',
                            path='the-judge',
                            retry=0,
                            type='tasks.models.openai_chat.OpenAISDK',
                        ),
                        prompt_template=dict(
                            template=dict(
                                round=[
                                    dict(
                                        prompt='GOLD: {obj_gold} SAID: {prediction} (A: CORRECT, B: INCORRECT)',
                                        role='HUMAN',
                                    ),
                                ],
                            ),
                            type='opencompass.openicl.icl_prompt_template.PromptTemplate',
                        ),
                        type='opencompass.evaluator.GenericLLMEvaluator',
                    ),
                ),
                infer_cfg=dict(
                    inferencer=dict(max_out_len=16, type='tasks.infer.inferencers.GenInferencer'),
                    prompt_template=dict(
                        template=dict(round=[dict(prompt='{question}', role='HUMAN')]),
                        type='opencompass.openicl.icl_prompt_template.PromptTemplate',
                    ),
                    retriever=dict(type='opencompass.openicl.icl_retriever.ZeroRetriever'),
                ),
                path='sums.jsonl',
                reader_cfg=dict(input_columns=['question'], output_column='answer'),
                type='tasks.data.custom.CustomDataset',
            ),
            dict(
                abbr='own',
                eval_cfg=dict(evaluator=dict(type='own_scoring.BracketEvaluator')),
                infer_cfg=dict(
                    inferencer=dict(max_out_len=16, type='tasks.infer.inferencers.GenInferencer'),
                    prompt_template=dict(
                        template=dict(round=[dict(prompt='{question}', role='HUMAN')]),
                        type='opencompass.openicl.icl_prompt_template.PromptTemplate',
                    ),
                    retriever=dict(type='opencompass.openicl.icl_retriever.ZeroRetriever'),
                ),
                path='sums.jsonl',
                reader_cfg=dict(input_columns=['question'], output_column='answer'),
                type='tasks.data.custom.CustomDataset',
            ),
        ],
        models=[
            dict(
                key='EMPTY',
                openai_api_base='http://127.0.0.1:9/v1',
                path='adder',
                retry=0,
                type='tasks.models.openai_chat.OpenAISDK',
            ),
        ],
    ),
    dict(
        datasets=[
            dict(
                abbr='choices',
                eval_cfg=dict(evaluator=dict(type='opencompass.openicl.icl_evaluator.AccEvaluator')),
                infer_cfg=dict(
                    inferencer=dict(type='tasks.infer.inferencers.PPLInferencer'),
                    prompt_template=dict(
                        template={'3': '{question} 3', '7': '{question} 7'},
                        type='opencompass.openicl.icl_prompt_template.PromptTemplate',
                    ),
                    retriever=dict(type='opencompass.openicl.icl_retriever.ZeroRetriever'),
                ),
                path='sums.jsonl',
                reader_cfg=dict(input_columns=['question'], output_column='answer'),
                type='tasks.data.custom.CustomDataset',
            ),
        ],
        models=[
            dict(
                abbr='base',
                key='EMPTY',
                openai_api_base='http://127.0.0.1:9/v1',
                path='base',
                retry=0,
                type='tasks.models.openai_completion.OpenAISDKCompletion',
            ),
        ],
    ),
]

models = [
    dict(
        key='EMPTY',
        openai_api_base='http://127.0.0.1:9/v1',
        path='adder',
        retry=0,
        type='tasks.models.openai_chat.OpenAISDK',
    ),
    dict(
        abbr='base',
        key='EMPTY',
        openai_api_base='http://127.0.0.1:9/v1',
        path='base',
        retry=0,
        type='tasks.models.openai_completion.OpenAISDKCompletion',
    ),
]

station_path = '/home/user/evaluation/station'

summarizer = dict(type='own_scoring.ShortTable')
