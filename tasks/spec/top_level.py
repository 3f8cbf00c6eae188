"""The names that mean something at the top level of a configuration."""

TOP_LEVEL_KEYS = frozenset(
    {
        "models", "datasets", "infer", "eval", "summarizer", "work_dir", "model_dataset_combinations",
        "judge_models", "lark_bot_url", "lark_bot_secret", "slack_webhook_url", "alerts", "station_path",
        "chatml_datasets", "attack", "command_line", "own_classes",
    }
)  # fmt: skip
