import type { FailureCode } from "../spec/failure-codes.ts";

/** What must hold beside the words; `holds` in name-words.ts says when each condition does. */
export type WordingCondition = "always" | "short-wait" | "server-status" | "service-reached" | "for-good";

/** A failure code, its condition and the patterns that stand for it. */
export type Wording = readonly [code: FailureCode, beside: WordingCondition, ...words: readonly RegExp[]];

/** The wording of failures by the CLIs, their services and the operating system, most specific first: the first match is used. */
export const CLI_WORDING: readonly Wording[] = [
  // The request itself was impossible. Fixtures bad-flag, error-context-length, and codex's sentences on a full context.
  [
    "unknown-option",
    "always",
    /\bunknown (?:command-line )?(?:option|flag|argument)|\bunexpected argument|\bunrecognized (?:option|argument|flag|subcommand)|\bno such option|\binvalid option --/i,
  ],
  [
    "context-overflow",
    "always",
    /\b(?:prompt|input|conversation) is too long|\bcontext[_ -]?(?:length|window|limit)[_ -]?(?:was |is |has been )?exceeded|\bexceed\w* (?:the )?(?:model's |maximum |available )?context|\bmaximum context length/i,
    /\bran out of room in the (?:model's )?context|\bcontext window (?:is full|limit)|\binput token count.{0,40}exceeds|\bmaximum prompt length is|\bprompt exceeds max length|\brange of input length|\bexceeds the model's prompt budget|\bContextOverflow/i,
  ],
  // The quota is used up for hours, days or for good. Fixtures error-quota of all CLIs, codex/error-usage-not-included.
  [
    "quota-exhausted",
    "always",
    /\busage limit|\bbilling hard limit|\bspending limit|\bhit your (?!(?:[\w-]+ ){0,2}(?:rate|requests?|per-minute|minute|concurren\w+|tokens?|context|output)[ -])(?:[\w-]+ ){0,3}limit/i,
    /\b(?:daily|weekly|monthly|(?:5|five)[- ]?h(?:ou)?r|hourly|session) (?:[\w-]+ ){0,2}(?:quota|limit)\b.{0,40}\b(?:reached|exceeded|exhausted|spent|used|hit|resets?)/i,
    /\b(?:exhausted|reached|exceeded|hit|used(?: up)?|spent) (?:all (?:of )?)?(?:your|the|its) (?:[\w-]+ ){0,2}(?:daily|weekly|monthly|5-hour|hourly|plan)\b.{0,20}\b(?:quota|limit|usage)/i,
    /\b(?:daily|weekly|monthly|5-hour) quota\b|\bquota\b.{0,40}\bper ?(?:day|week|month)\b|\bquota will reset after \d+h/i,
    /\bcredit balance|\binsufficient (?:account )?(?:balance|credits?|funds)|\bout of (?:\w+ )?credits?|\b(?:no|used all(?: of)?|exhausted)(?: your| the| its)?(?: available| remaining)? credits?\b|\bcredits? (?:have |has )?(?:been )?(?:exhausted|used up|depleted)|\bno resource package/i,
    /\bTo use Codex with your ChatGPT plan, upgrade/,
  ],
  // Google calls a limit per minute an exhausted quota too. Fixtures gemini/error-429-retry-after, claude/error-429-*.
  ["rate-limited", "short-wait", /\bRESOURCE[\s_.-]?EXHAUSTED|\bexceeded your current quota/i],
  ["quota-exhausted", "always", /\bexceeded your current quota/i],
  ["rate-limited", "always", /\bRequest rejected \(429\)/],
  // Fixtures resume-unknown*, session-id-in-use, error-bad-model.
  [
    "session-unknown",
    "service-reached",
    /\bno (?:saved |previous |such )?(?:conversation|session)s? (?:was |were )?(?:found|with)|\b(?:session|conversation)(?: [\w"'-]{1,60})? (?:was |could )?not (?:be )?found|\bunknown session|\bno rollout found|\bno session id or title matched|\bNo session, task, or name matched|\binvalid session identifier|\bno such (?:session|conversation)|\b(?:session|conversation) [\w"'-]{1,60} does not exist/i,
  ],
  [
    "session-busy",
    "service-reached",
    /\bsession (?:id )?.{0,60}\b(?:is )?already (?:in use|exists)|\balready has an active writer/i,
  ],
  [
    "model-unknown",
    "service-reached",
    /\bmodel (?:(?:with )?(?:id |name )?[^\s,;]{1,80} )?(?:does|do|did|may) not exist|\bmay not exist or you may not have access|\bmodel not found|\bmodel:? (?!provider\b)["'`]?[\w./:-]{1,80}["'`]? (?:was |is |could )?not (?:be )?found|\bcannot find (?:the )?model/i,
    /\bunknown model|\bno such model|\binvalid model name|\bissue with the selected model|\bis not found for API version|\bmodel is not supported/i,
  ],
  // Fixtures codex/error-content-filter, grok/messages-content-filter; Claude Code's sentence on a refusal.
  [
    "refused",
    "service-reached",
    /\bcontent[_ -]?(?:filter|policy|moderation|management policy)|\b(?:response|prompt|output) was filtered|\bblocked (?:due to|because of|for|by) (?:the )?(?:\w+ )?safety|\bsafety (?:settings|filters?|reasons|system)|\b(?:model|assistant|claude) (?:has )?(?:refused|declined)\b(?! (?:to connect|(?:the |a |our |your )?(?:\w+ )?connection))|\b(?:refused|declined) to (?:answer|respond|continue)|\bis unable to respond to this request|\bstop_reason\W{1,6}refusal|\bviolates? (?:our|the) (?:usage|content|safety) polic/i,
  ],
  // Fixtures not-logged-in*, error-401, error-403, text-format-error-401.
  [
    "access-denied",
    "service-reached",
    /\b(?:organi[sz]ation|account|project|admin\w*) (?:has been |is |was |has )?(?:disabled|suspended|deactivated|banned)|\b(?:does not|do not|doesn't|don't) have (?:permission|access)\b|\bnot allowed for this organi[sz]ation|\breported as leaked|\bfailed to authenticate.{0,40}\b403\b/i,
    /\b(?:account|api key|organi[sz]ation|user|you|caller|plan|team|subscription)\b.{0,30}\b(?:not (?:allowed|permitted|authori[sz]ed|entitled|eligible) to|may not|cannot|can't) (?:use|access|sample|call)\b/i,
  ],
  [
    "access-denied",
    "for-good",
    /\b(?:country|region|territory|location)\b.{0,40}\b(?:not[ -]?(?:supported|available|allowed)|unsupported)|\bunsupported (?:country|region|territory|location)|\bnot (?:available|supported|allowed) in (?:your|this) (?:country|region|location)/i,
  ],
  [
    "not-logged-in",
    "service-reached",
    /\bnot (?:logged|signed) in|\b(?:please|must|need to) (?:first )?(?:log|sign) ?in\b|\b(?:to|and) sign in\b|\b(?:log|sign) ?in again\b|\brun \S{0,40}\blogin\b|\brun [`'"]?[\w-]+ (?:auth )?login\b|\b(?:log-?in|sign-?in|session|credentials?) (?:has |have |is |are )?expired/i,
    /\btoken (?:has |is |was )?(?:been )?(?:expired|revoked|already used)|\btoken could not be refreshed|\binvalid (?:oauth|access|bearer|auth\w*) token|\bno authentication information|\bNo auth type is selected|\bPlease set an Auth method/i,
    /\b(?:invalid|incorrect|missing|expired|bad|no) (?:x-)?api[- ]key\b|\bapi[- ]key (?:is |was )?(?:not valid|invalid|required|missing|expired|not found|not set|incorrect)|\bx-api-key header|\binvalid x-api-key|\bAPI_KEY_INVALID\b|\b(?:missing|must (?:specify|set|provide)|please set)\b.{0,40}_(?:API_)?KEY\b/i,
  ],
  // Fixtures error-529-*, codex/error-500; bodies of a 503 that contain "overloaded".
  ["overloaded", "server-status", /\boverloaded/i],
  ["overloaded", "always", /\bat capacity\b|\bexperiencing high demand/i],
  ["server-error", "always", /\b(?:temporarily|currently) (?:unavailable|not available)\b/i],
  // Fixtures error-stream-cut*, error-connection-refused*.
  [
    "connection-lost",
    "always",
    /\bEPIPE\b|\bECONNABORTED\b|\bconnection\b.{0,40}\b(?:lost|dropped|interrupted|closed|aborted|reset)\b|\bother side closed|\bpremature close|\bPREMATURE_CLOSE|\bbroken pipe/i,
    /\bstream (?:was |has been )?(?:disconnected|closed|ended) before|\bTransport error\b/i,
    /(?:^|error(?: \([^)\n]{0,80}\))?: ?|cause: ?|\[)terminated\b(?! (?:by|with|after|due))/i,
  ],
  [
    "connection-failed",
    "always",
    /\bEAI_AGAIN\b|\bE(?:NET|HOST)UNREACH\b|\bfailed to lookup address|\bunable to connect|\b(?:could|can) ?not connect|\berror sending request|\bfetch failed|\bconnection (?:was )?refused|\b(?:refused|declined) (?:the |a |our |your )?(?:\w+ )?connection|\bConnectionRefused|\bFailedToOpenSocket|\bConnection error\b|\bnetwork is unreachable/i,
    /(?<![a-z])self[- _]?signed|\bunable to (?:verify|get local issuer|get issuer)|\bUNABLE_TO_(?:VERIFY|GET)|(?<![A-Za-z])CERT_[A-Z_]{3,}|(?<![a-z])altname|\bcertificate\b.{0,60}\b(?:expired|invalid|verif\w+|untrusted|unknown|not trusted|revoked|mismatch)|\b(?:invalid|untrusted|expired|bad) certificate/i,
    /\bproxy\b.{0,60}\b(?:refused|failed|unreachable|denied)|\btunneling socket|\bERR_PROXY/i,
  ],
  // After the connections: a CLI that cannot reach the service also prints "failed to authenticate" (fixture grok/resume-unknown).
  ["not-logged-in", "always", /\bfailed to authenticate/i],
  // Messages of the operating system when a program cannot be started.
  ["arguments-too-large", "always", /\bE2BIG\b|\bargument list too long/i],
  ["cli-not-executable", "always", /\bspawn\b.{0,400}\bEACCES\b|\bEACCES\b.{0,40}\bspawn\b/i],
  [
    "cli-missing",
    "always",
    /\bspawn\b.{0,400}\bENOENT\b|\bcommand not found\b|\bsh: (?:line )?\d+: [^:\n]{1,200}: not found|\bis not recognized as an internal or external command/i,
  ],
];
