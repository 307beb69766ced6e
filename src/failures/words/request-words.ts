import type { Wording } from "./weights.ts";

/** The words of requests that the service cannot or will not serve: too long, unknown session or model, refused. */
export const REQUEST_WORDS: readonly Wording[] = [
  // Fixtures error-context-length, and codex's sentences on a full context.
  [
    "context-overflow plain",
    /\b(?:prompt|input|conversation|context) (?:is |was )?too (?:long|large)|\bcontext[_ -]?(?:length|window|limit|size)[_ -]?(?:was |is |has been )?(?:exceeded|overflow|reached)|\bexceed\w* (?:the )?(?:[\w-]+(?:'s)? ){0,3}context\b|\bmaximum context (?:length|window|size)/i,
    /\b(?:prompt|input|context|conversation|chat|history|messages?|transcript|total) (?:tokens? )?(?:[\w-]+ ){0,3}(?:is|are|was|were|got|has become)? ?(?:too (?:long|large|big)|longer than)\b|\b(?:prompt|input|context|conversation|total) (?:tokens?|length|size|token count|token limit)\b[^\n]{0,40}\b(?:exceed\w*|over the|larger than|greater than|longer than)\b|\bexceed\w* (?:the |its |this )?(?:[\w'-]+ ){0,4}(?:context|token|prompt|input) (?:window|limit|length|budget|size)\b|\b(?:maximum|max) (?:allowed )?(?:context|prompt|input)[ _-](?:length|window|size|tokens?)\b|\bmax_(?:prompt|input|context)_tokens\b|\bdo(?:es)? not fit (?:in|into)\b[^\n]{0,30}\bcontext\b|\breduce the (?:length|size) of (?:the|your) (?:messages|prompt|input|conversation)|\bcontext overflow/i,
    /\bran out of room in the (?:model's )?context|\bcontext window (?:is full|limit)|\binput token count.{0,40}exceeds|\bmaximum prompt length is|\bprompt exceeds max length|\brange of input length|\bexceeds the model's prompt budget|\bContextOverflow|\bexceed\w* the (?:maximum|max) (?:number of )?(?:input |prompt )?tokens|\btoken (?:count|limit)\b.{0,40}\bexceeds? (?:the )?(?:model|max)/i,
  ],
  [
    "prompt-too-large sentence",
    /\b(?:request|payload|body|entity|file|image|pdf|attachment)s? (?:is |are |was )?too (?:large|big)\b|\brequest_too_large\b|\b(?:image|file|pdf|request|payload|body|attachment)s? exceeds?\b.{0,60}\b(?:\d+ ?[KMG]B|bytes|maximum|limit|size)\b/i,
  ],
  ["output-truncated sentence", /\bexceeded the \d+ output token maximum/i],
  // Fixtures resume-unknown*, session-id-in-use, error-bad-model.
  [
    "session-unknown sentence if service-reached",
    /\bno (?:saved |previous |such )?(?:conversation|session|thread|chat)s? (?:was |were )?(?:found|with)|\b(?:session|conversation|thread)(?: [\w"'-]{1,60})? (?:was |could )?not (?:be )?found|\bunknown (?:session|thread)|\bno rollout found|\bno session id or title matched|\bNo session, task, or name matched|\binvalid session identifier|\bno such (?:session|conversation|thread)|\b(?:session|conversation|thread) [\w"'-]{1,60} does not exist/i,
  ],
  [
    "session-unknown sentence if service-reached",
    /\b(?:no|unknown|missing|nonexistent) (?:[\w-]+ )?(?:conversation|session|thread|chat|checkpoint|rollout|transcript)s? (?:with|matching|named|by|for|found)\b|\b(?:conversation|session|thread|chat|checkpoint|rollout)\b[^.\n]{0,60}\b(?:not found|does not exist|could not be (?:found|loaded|resumed)|no longer exists|has been deleted)\b|\b(?:could not|cannot|can't|unable to|failed to) (?:find|locate|load|resume) (?:the |a |that |any )?(?:[\w-]+ )?(?:conversation|session|thread|chat|rollout)\b/i,
  ],
  ["session-invalid sentence if service-reached", /\binvalid (?:session|conversation|thread) id\b/i],
  [
    "session-busy sentence if service-reached",
    /\bsession (?:id )?.{0,60}\b(?:is )?already (?:in use|exists)|\balready has an active writer/i,
  ],
  [
    "model-unknown sentence if service-reached",
    /\bmodel (?:(?:with )?(?:id |name )?[^\s,;]{1,80} )?(?:does|do|did|may) not exist|\bmay not exist or you may not have access|\bmodel not (?:found|exist)|\bmodel:? (?!provider\b)["'`]?[\w./:-]{1,80}["'`]? (?:was |is |could )?not (?:be )?found|\bcannot find (?:the )?model/i,
    /\bmodel\b[^.\n]{0,40}[\w./:-]{1,80} with [\w -]{1,60}(?:isn't|is not) supported\b|\b(?:unknown|unsupported|unrecognized) model|\bno such model|\binvalid model\b|\bissue with the selected model|\bis not found for API version|\bmodel (?:["'`]?[\w./:-]{1,80}["'`]? )?(?:is )?not supported|\bmodel (?:identifier|id|name) is (?:invalid|not valid|unknown)|\bno (?:[\w-]+ )?models? (?:is |are )?(?:available|found|configured)\b|\bno (?:allowed )?(?:endpoints|providers) (?:are )?(?:found|available)\b|\brequested entity was not found/i,
    /\bdeployment\b[^.\n]{0,80}\b(?:could not be found|was not found|cannot be found|does not exist|doesn't exist|no longer exists)\b|\b(?:could not|couldn't|cannot|can't|unable to) (?:find|locate|resolve) (?:a |the |any )?(?:[\w-]+ )?model\b|\b(?:no|not a valid|not a known|not a recogni[sz]ed) (?:such )?model (?:named|called|id|name|with)?\b|\bDeploymentNotFound|\bModel(?:NotFound|Unavailable)|\bmodel unavailable\b|\btry pulling it\b|\bmodel_not_(?:found|supported|available)\b|\bunknown_model\b|\bModel\.?(?:NotExist|AccessDenied)/i,
  ],
  [
    "model-unknown sentence if for-good",
    /\bmodels?\b["'`:]{0,2} ?(?:["'`]?[\w./:-]{1,80}["'`]? )?(?:is|are|has been|was) (?:disabled|deprecated|retired|decommissioned|removed|discontinued|not (?:supported|enabled|available (?:for|to|on|with)|recognized|allowed|included|accessible)|no longer (?:available|supported|offered)|unknown)|\bmodel ["'`][^"'`\n]{1,80}["'`].{0,40}\bis not available\b|\bmodel\b.{0,80}\breached (?:its|the) end of (?:its )?life/i,
  ],
  ["turn-limit sentence", /\b(?:max(?:imum)?|limit of)\b.{0,20}\bturns\b|\bturn limit\b/i],
  [
    "prompt-blank sentence",
    /\b(?:prompt|input|message|query)s? (?:is|was|cannot be|can't be|must not be|may not be) (?:empty|blank)\b|\bno (?:prompt|input) (?:was )?(?:given|provided|specified)\b|\b(?:empty|blank) prompt\b/i,
  ],
  // The service sent something, and its own protocol forbids it.
  [
    "upstream-garbled plain if service-reached",
    /\b(?:malformed|invalid|unparseable) (?:function|tool)[ _-]calls?\b|\bMALFORMED_FUNCTION_CALL\b|\binvalid chunks?\b|\b(?:invalid|malformed) JSON response\b|\b(?:missing|no|without a?) ?finish[ _]reason\b/i,
  ],
  // Fixtures codex/error-content-filter, grok/messages-content-filter; Claude Code's sentence on a refusal.
  [
    "refused sentence if service-reached",
    /\bcontent[_ -]?(?:filter|policy|moderation|management policy)|\b(?:response|prompt|output) was filtered|\bblocked (?:due to|because of|for|by) (?:the )?(?:\w+ )?safety|\bsafety (?:settings|filters?|reasons|system|check)|\b(?:model|assistant|claude) (?:has )?(?:refused|declined)\b(?! (?:to connect|(?:the |a |our |your )?(?:\w+ )?connection))|\b(?:refused|declined) to (?:answer|respond|continue)|\bis unable to respond to this request|\bstop_reason\W{1,6}refusal|\bviolat\w* (?:(?:our|the|your|\w+'s) )?(?:[\w-]+ ){0,2}(?:polic|guideline|terms)/i,
    /\b(?:cyber|cybersecurity|safety|usage|abuse|biology|biosecurity)[ _-]polic\w*\b.{0,60}\b(?:block|violat|reject|refus|flag)|\b(?:prompt|request|message|content|input|output)s? (?:was |were |has been |have been )?(?:flagged|blocked)\b(?! by (?:[\w-]+ )?(?:proxy|firewall|cloudflare|network|rate))|\bflagged (?:for|as|by|this)\b|\binappropriate content|\bprohibited[ _]content|\bDataInspectionFailed|\bsensitive (?:content|information|words)|\bsafeguards flagged/i,
  ],
  [
    "tool-denied plain",
    /\bpermissions? to (?:use|run|call|execute|write|edit|read)\b[^.\n]{0,120}\b(?:denied|rejected|refused|not granted)\b|\brequested permissions?\b[^\n]{0,120}\b(?:haven't|have not|not|wasn't) (?:been )?granted|\b(?:tool|command|edit|write|action|function)\b[^.\n]{0,60}\b(?:denied|rejected|disallowed|blocked|not allowed|not permitted) by (?:the |your |a )?(?:user|permission|rule|polic(?:y|ies)|sandbox|hook|settings|configuration)\b|\b(?:approval|permission) (?:is |was )?(?:required|needed|denied) (?:for|to (?:run|use|execute))\b|\brequires? (?:your |user |manual )?(?:approval|confirmation)\b(?! (?:from|by) (?:your|an|the) (?:admin|org))|\bcould not request permission\b|\btool (?:use|call) (?:was |has been )?(?:denied|rejected)\b|\b(?:user|you) (?:denied|rejected|declined) (?:the |this )?(?:tool|permission|call)/i,
  ],
  // Weak: a filter or a limit that leaves nothing of an answer is named beside it.
  [
    "upstream-garbled trace",
    /\b(?:returned|received|got|sent) (?:an? )?(?:invalid|malformed|unexpected|unparseable|empty|incomplete|garbled) (?:[\w-]+ )?(?:content|response|json|output|data|body|reply|chunk|event)\b|\b(?:invalid|malformed|unexpected|unparseable) (?:[\w-]+ )?(?:response|output|reply)\b|\b(?:fail\w*|unable|could not|cannot|error) (?:to )?(?:pars\w+|decod\w+|deserializ\w+) (?:the |a )?(?:[\w-]+ ){0,2}(?:response|stream|chunk|event|sse|completion|reply)\b|\bJSON pars(?:e|ing) (?:error|fail\w*)|\btype validation failed|\bresponse (?:did not|does not|didn't) (?:contain|include|match)|\bno (?:output|content|completion|choices) (?:was |were )?(?:generated|returned|received)\b|\bno response (?:was )?(?:generated|returned)\b|\b(?:empty|blank) (?:response|answer|completion)\b|\breturned no (?:content|text|answer|choices)\b/i,
  ],
  // Weak: the cause is often named beside it, and then that counts.
  [
    "bad-request trace",
    /\b(?:must|should|has to|needs to) (?:not )?be (?:an? |one of|between|less|greater|at (?:least|most)|non-?empty|followed|in the range|positive|negative|\[|[<>]=?|\d)|\bexpected\b[^.\n]{1,60}\b(?:but )?(?:got|received|found)\b|\b(?:does not|doesn't|should|must) match (?:the )?(?:pattern|schema|any of|format|regex)|\bInvalid ['"`][\w.[\]-]{1,80}['"`]|\b(?:unexpected|extra|unsupported|unknown) (?:values?|fields?|propert(?:y|ies)|keys?|roles?|inputs?|headers?)\b|\b(?:is|are) not (?:a )?(?:valid|supported|allowed|permitted) (?:with|for|by|in|when) (?:this|the|your) (?:model|endpoint|request|api)|\b(?:is|are) missing an? [\w-]{1,40}\b|\bwithout (?:its|the|a) (?:required|matching|corresponding)\b|\bis password[- ]protected|\bMisdirected Request|\bInvalidParameter|\bValidation(?:Exception|Error)\b|\bBadRequest|\binvalid_(?:value|type|prompt|schema|image\w*|function\w*)\b|\bunsupported_(?:parameter|value)/i,
    // The body of a 400 of ChatGPT, without its status.
    /^\{"detail":|\bINVALID_ARGUMENT\b|\b(?:unsupported|unknown|unrecognized|invalid) (?:parameter|value|field|role|media type|content type|argument value)|\brequest contains an? invalid\b|\bunprocessable\b|\bexceed\w* (?:the )?max(?:imum)? allowed|\bmaximum allowed\b|\bno tool (?:call|output) found|\bcannot be modified\b|\btoo many (?:total )?(?:text bytes|images|tools|messages)\b|\b(?:content|signature)\b.{0,80}\bcould not be verified|\binput must be provided|\b(?:invalid|unsupported|malformed) (?:[\w-]+ )?(?:request|schema|body|media|image|prompt)\b|\bmissing required (?:parameter|field|argument)|\btool_use\b.{0,60}\btool_result\b|\b(?:could not|unable to) process image|\bexceeds? the (?:API )?limit\b|\b(?:images?|messages?|tools?|documents?) exceed\b/i,
  ],
  [
    "interrupted trace",
    /\b(?:cancell?ed|aborted|interrupted|stopped) (?:by (?:the )?user\b|\(Ctrl[-+]?C\))|\b(?:user|you) (?:has )?(?:cancell?ed|aborted|interrupted)\b|\b(?:request|operation|turn|task|run|prompt) (?:was |has been )?(?:cancell?ed|aborted)\b/i,
  ],
];
