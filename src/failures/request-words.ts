import type { Wording } from "./weights.ts";

/** The words of requests that the service cannot or will not serve: too long, unknown session or model, refused. */
export const REQUEST_WORDS: readonly Wording[] = [
  // Fixtures error-context-length, and codex's sentences on a full context.
  [
    "context-overflow",
    "plain",
    "always",
    /\b(?:prompt|input|conversation|context) (?:is |was )?too (?:long|large)|\bcontext[_ -]?(?:length|window|limit|size)[_ -]?(?:was |is |has been )?(?:exceeded|overflow|reached)|\bexceed\w* (?:the )?(?:[\w-]+(?:'s)? ){0,3}context\b|\bmaximum context (?:length|window|size)/i,
    /\bran out of room in the (?:model's )?context|\bcontext window (?:is full|limit)|\binput token count.{0,40}exceeds|\bmaximum prompt length is|\bprompt exceeds max length|\brange of input length|\bexceeds the model's prompt budget|\bContextOverflow|\bexceed\w* the (?:maximum|max) (?:number of )?(?:input |prompt )?tokens|\btoken (?:count|limit)\b.{0,40}\bexceeds? (?:the )?(?:model|max)/i,
  ],
  [
    "prompt-too-large",
    "sentence",
    "always",
    /\b(?:request|payload|body|entity|file|image|pdf|attachment)s? (?:is |are |was )?too (?:large|big)\b|\brequest_too_large\b|\b(?:image|file|pdf|request|payload|body|attachment)s? exceeds?\b.{0,60}\b(?:\d+ ?[KMG]B|bytes|maximum|limit|size)\b/i,
  ],
  ["output-truncated", "sentence", "always", /\bexceeded the \d+ output token maximum/i],
  // Fixtures resume-unknown*, session-id-in-use, error-bad-model.
  [
    "session-unknown",
    "sentence",
    "service-reached",
    /\bno (?:saved |previous |such )?(?:conversation|session|thread|chat)s? (?:was |were )?(?:found|with)|\b(?:session|conversation|thread)(?: [\w"'-]{1,60})? (?:was |could )?not (?:be )?found|\bunknown (?:session|thread)|\bno rollout found|\bno session id or title matched|\bNo session, task, or name matched|\binvalid session identifier|\bno such (?:session|conversation|thread)|\b(?:session|conversation|thread) [\w"'-]{1,60} does not exist/i,
  ],
  ["session-invalid", "sentence", "service-reached", /\binvalid (?:session|conversation|thread) id\b/i],
  [
    "session-busy",
    "sentence",
    "service-reached",
    /\bsession (?:id )?.{0,60}\b(?:is )?already (?:in use|exists)|\balready has an active writer/i,
  ],
  [
    "model-unknown",
    "sentence",
    "service-reached",
    /\bmodel (?:(?:with )?(?:id |name )?[^\s,;]{1,80} )?(?:does|do|did|may) not exist|\bmay not exist or you may not have access|\bmodel not (?:found|exist)|\bmodel:? (?!provider\b)["'`]?[\w./:-]{1,80}["'`]? (?:was |is |could )?not (?:be )?found|\bcannot find (?:the )?model/i,
    /\bmodel\b[^.\n]{0,40}[\w./:-]{1,80} with [\w -]{1,60}(?:isn't|is not) supported\b|\b(?:unknown|unsupported|unrecognized) model|\bno such model|\binvalid model\b|\bissue with the selected model|\bis not found for API version|\bmodel (?:["'`]?[\w./:-]{1,80}["'`]? )?(?:is )?not supported|\bmodel (?:identifier|id|name) is (?:invalid|not valid|unknown)|\bno (?:[\w-]+ )?models? (?:is |are )?(?:available|found|configured)\b|\bno (?:allowed )?(?:endpoints|providers) (?:are )?(?:found|available)\b|\brequested entity was not found/i,
  ],
  [
    "model-unknown",
    "sentence",
    "for-good",
    /\bmodels?\b["'`:]{0,2} ?(?:["'`]?[\w./:-]{1,80}["'`]? )?(?:is|are|has been|was) (?:disabled|deprecated|retired|decommissioned|removed|discontinued|not (?:supported|enabled|available (?:for|to|on|with)|recognized|allowed|included|accessible)|no longer (?:available|supported|offered)|unknown)|\bmodel ["'`][^"'`\n]{1,80}["'`].{0,40}\bis not available\b|\bmodel\b.{0,80}\breached (?:its|the) end of (?:its )?life/i,
  ],
  ["turn-limit", "sentence", "always", /\b(?:max(?:imum)?|limit of)\b.{0,20}\bturns\b|\bturn limit\b/i],
  [
    "prompt-blank",
    "sentence",
    "always",
    /\b(?:prompt|input|message|query)s? (?:is|was|cannot be|can't be|must not be|may not be) (?:empty|blank)\b|\bno (?:prompt|input) (?:was )?(?:given|provided|specified)\b|\b(?:empty|blank) prompt\b/i,
  ],
  // The service sent something, and its own protocol forbids it.
  [
    "upstream-garbled",
    "plain",
    "service-reached",
    /\b(?:malformed|invalid|unparseable) (?:function|tool)[ _-]calls?\b|\bMALFORMED_FUNCTION_CALL\b|\binvalid chunks?\b|\b(?:invalid|malformed) JSON response\b|\b(?:missing|no|without a?) ?finish[ _]reason\b/i,
  ],
  // Fixtures codex/error-content-filter, grok/messages-content-filter; Claude Code's sentence on a refusal.
  [
    "refused",
    "sentence",
    "service-reached",
    /\bcontent[_ -]?(?:filter|policy|moderation|management policy)|\b(?:response|prompt|output) was filtered|\bblocked (?:due to|because of|for|by) (?:the )?(?:\w+ )?safety|\bsafety (?:settings|filters?|reasons|system|check)|\b(?:model|assistant|claude) (?:has )?(?:refused|declined)\b(?! (?:to connect|(?:the |a |our |your )?(?:\w+ )?connection))|\b(?:refused|declined) to (?:answer|respond|continue)|\bis unable to respond to this request|\bstop_reason\W{1,6}refusal|\bviolat\w* (?:(?:our|the|your|\w+'s) )?(?:[\w-]+ ){0,2}(?:polic|guideline|terms)/i,
    /\b(?:cyber|cybersecurity|safety|usage|abuse|biology|biosecurity)[ _-]polic\w*\b.{0,60}\b(?:block|violat|reject|refus|flag)|\b(?:prompt|request|message|content|input|output)s? (?:was |were |has been |have been )?(?:flagged|blocked)\b(?! by (?:[\w-]+ )?(?:proxy|firewall|cloudflare|network|rate))|\bflagged (?:for|as|by|this)\b|\binappropriate content|\bprohibited[ _]content|\bDataInspectionFailed|\bsensitive (?:content|information|words)|\bsafeguards flagged/i,
  ],
  [
    "tool-denied",
    "plain",
    "always",
    /\bpermission to (?:use|run|call) [\w-]{1,60} (?:has been |was |is )?denied\b|\bcould not request permission\b|\btool (?:use|call) (?:was |has been )?(?:denied|rejected)\b|\b(?:user|you) (?:denied|rejected|declined) (?:the |this )?(?:tool|permission|call)/i,
  ],
  // Weak: a filter or a limit that leaves nothing of an answer is named beside it.
  [
    "upstream-garbled",
    "trace",
    "always",
    /\b(?:empty|blank) (?:response|answer|completion)\b|\breturned no (?:content|text|answer|choices)\b/i,
  ],
  // Weak: the cause is often named beside it, and then that counts.
  [
    "bad-request",
    "trace",
    "always",
    // The body of a 400 of ChatGPT, without its status.
    /^\{"detail":|\bINVALID_ARGUMENT\b|\b(?:unsupported|unknown|unrecognized|invalid) (?:parameter|value|field|role|media type|content type|argument value)|\brequest contains an? invalid\b|\bunprocessable\b|\bexceed\w* (?:the )?max(?:imum)? allowed|\bmaximum allowed\b|\bno tool (?:call|output) found|\bcannot be modified\b|\btoo many (?:total )?(?:text bytes|images|tools|messages)\b|\b(?:content|signature)\b.{0,80}\bcould not be verified|\binput must be provided|\b(?:invalid|unsupported|malformed) (?:[\w-]+ )?(?:request|schema|body|media|image|prompt)\b|\bmissing required (?:parameter|field|argument)|\btool_use\b.{0,60}\btool_result\b|\b(?:could not|unable to) process image|\bexceeds? the (?:API )?limit\b|\b(?:images?|messages?|tools?|documents?) exceed\b/i,
  ],
  [
    "interrupted",
    "trace",
    "always",
    /\b(?:cancell?ed|aborted|interrupted|stopped) (?:by (?:the )?user\b|\(Ctrl[-+]?C\))|\b(?:user|you) (?:has )?(?:cancell?ed|aborted|interrupted)\b|\b(?:request|operation|turn|task|run|prompt) (?:was |has been )?(?:cancell?ed|aborted)\b/i,
  ],
];
