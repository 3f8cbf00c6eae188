"""Templates, retrievers and inferencers, and where OpenCompass has them."""

from tasks.spec.names.type_entry import TypeEntry


def _inferencers(*names: tuple[str, str]) -> list[TypeEntry]:
    """Entries by class name and the module that OpenCompass defines it in."""
    ours, package = "tasks.infer.inferencers.names", "openicl.icl_inferencer"
    return [TypeEntry("inferencer", f"{ours}.{name}", package, module) for name, module in names]


PROMPTS: tuple[TypeEntry, ...] = (
    TypeEntry("template", "tasks.prompts.templates.PromptTemplate", "openicl.icl_prompt_template"),
    TypeEntry("template", "tasks.prompts.templates.RawPromptTemplate", "openicl.icl_raw_prompt_template"),
    TypeEntry("retriever", "tasks.prompts.retrievers.ZeroRetriever", "openicl.icl_retriever", "icl_zero_retriever"),
    TypeEntry("retriever", "tasks.prompts.retrievers.FixKRetriever", "openicl.icl_retriever", "icl_fix_k_retriever"),
    TypeEntry("retriever", "tasks.prompts.retrievers.RandomRetriever", "openicl.icl_retriever", "icl_random_retriever"),
    TypeEntry(
        "retriever", "tasks.prompts.retrievers.SlidingWindowRetriever", "openicl.icl_retriever",
        "icl_sliding_k_retriever",
    ),
    TypeEntry("retriever", "tasks.prompts.bm25_retriever.BM25Retriever", "openicl.icl_retriever", "icl_bm25_retriever"),
    TypeEntry(
        "retriever", "tasks.prompts.embedding_retrievers.TopkRetriever", "openicl.icl_retriever", "icl_topk_retriever"
    ),
    TypeEntry(
        "retriever", "tasks.prompts.embedding_retrievers.DPPRetriever", "openicl.icl_retriever", "icl_dpp_retriever"
    ),
    TypeEntry(
        "retriever", "tasks.prompts.embedding_retrievers.VotekRetriever", "openicl.icl_retriever", "icl_votek_retriever"
    ),
    TypeEntry("retriever", "tasks.prompts.mdl_retriever.MDLRetriever", "openicl.icl_retriever", "icl_mdl_retriever"),
    TypeEntry(
        "inferencer", "tasks.infer.inferencers.names.GenInferencer", "openicl.icl_inferencer", "icl_gen_inferencer",
    ),
    *_inferencers(
        ("PPLInferencer", "icl_ppl_inferencer"),
        ("PPLOnlyInferencer", "icl_ppl_only_inferencer"),
        ("InferencePPLOnlyInferencer", "icl_inference_ppl_only_inferencer"),
        ("MinKPercentInferencer", "icl_mink_percent_inferencer"),
        ("SWCELossInferencer", "icl_sw_ce_loss_inferencer"),
        ("LLInferencer", "icl_ll_inferencer"),
        ("CLPInferencer", "icl_clp_inferencer"),
        ("ChatInferencer", "icl_chat_inferencer"),
        ("ChatMLInferencer", "icl_chatml_inferencer"),
        ("SCInferencer", "icl_sc_inferencer"),
        ("ParallelGenInferencer", "icl_gen_inferencer"),
        ("ParallelChatInferencer", "icl_chat_inferencer"),
        ("ParallelChatMLInferencer", "icl_chatml_inferencer"),
    ),
)  # fmt: skip
