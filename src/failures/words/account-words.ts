import type { Wording } from "./weights.ts";

const SPENT = "(?:reached|exceeded|exhausted|spent|used(?: up)?|hit|depleted|over|ended|resets?|consumed)";
const SPENDING = "(?:reached|exceeded|exceeds?|exhausted|hit|used(?: up)?|spent|consumed|over|surpassed)";
const PERIOD = "(?:daily|weekly|monthly|yearly|annual|(?:\\d{1,2}|five|one)[- ]?(?:h(?:ou)?r|day|week|month)s?|hourly|session)";

/** What an account has a limited amount of, and the words for none of it being left. */
const SUPPLY =
  "(?:credits?|quota|balance|funds|allowance|allotment|(?:premium |free |paid )requests?|messages|prompts|usage|free (?:tier|trial|usage|requests?))";
const GONE =
  "(?:exhausted|depleted|used up|spent|consumed|gone|not enough|insufficient|too low|empty|over|finished|expired|ended)";

/** The words of limits: a spent quota lasts hours, days or until it is paid; a rate limit is over in a moment. */
export const LIMIT_WORDS: readonly Wording[] = [
  // No capacity is the fault of the service, although Google reports it as an exhausted resource.
  [
    "overloaded plain",
    /\bno capacity\b|\bCAPACITY_EXHAUSTED\b|\b(?:at|over|insufficient) capacity\b|\bcapacity (?:constraints?|is (?:currently )?(?:limited|unavailable|exceeded))/i,
  ],
  // Fixtures error-quota of all CLIs, codex/error-usage-not-included.
  [
    "quota-exhausted plain",
    /(?<!\bnot your\s{1,9})\busage limit|\bbilling (?:hard )?limit|\bspending limit|\b(?:hit|reached|exceeded) (?:your|its) (?!(?:[\w-]+ ){0,2}(?:rate|requests?|per-minute|minute|concurren\w+|tokens?|context|output|input|size|length|time|memory|retry|turn|character|file|image|upload)[ -])(?:[\w-]+ ){0,3}limit\b|\blimit reached for (?:this|the) (?:[\w-]+ )?(?:period|month|week|day|cycle)|\breached the limit of (?:[\w-]+ ){0,2}(?:requests|messages|prompts)\b/i,
    new RegExp(`\\b${PERIOD} (?:[\\w-]+ ){0,2}(?:quota|limit|usage|allowance)\\b.{0,40}\\b${SPENT}`, "i"),
    new RegExp(
      `\\b${SPENDING} (?:all (?:of )?)?(?:your|the|its) (?:[\\w.-]+ ){0,3}${PERIOD}\\b.{0,20}\\b(?:quota|limit|usage)`,
      "i",
    ),
    /\b(?:daily|weekly|monthly|5-hour) quota\b|\bquota\b.{0,40}\bper ?(?:day|week|month)\b|\bquota will reset after \d+h/i,
    new RegExp(
      `\\b(?:spend|spending|budget|cost|usage|request|message|token|credit)s? (?:cap|allowance|allotment)\\b.{0,40}\\b${SPENT}`,
      "i",
    ),
    new RegExp(`\\b${SPENDING} (?:your|the|its|this) (?:[\\w'-]+ ){0,4}(?<!token )(?:cap|allowance|allotment|budget)\\b`, "i"),
    /\blimit\b(?<!\brate.limit)[^\n]{0,20}\bresets? (?:at |on |in )?(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|tomorrow)|\bfree (?:[\w-]+ )?(?:tier|usage|trial|plan|requests?|messages?|models?)\b.{0,30}\b(?:exceeded|exhausted|reached|used up|expired|ended)/i,
    /\bused (?:up )?all (?:of )?(?:your|the) (?:[\w-]+ ){0,3}(?:usage|requests|messages|quota|prompts)\b|\bbudget (?:has been |was |is )?(?:exceeded|exhausted|reached)|\bExceededBudget\b|\btoken[- ]plan\b.{0,60}\b(?:quota|limit|exhausted|expired)|\bTerminalQuotaError\b|\b(?:usage|quota)[ _]not[ _]included|\bplan\b.{0,30}\b(?:does not|doesn't) (?:yet )?include\b/i,
  ],
  // Money. Fixtures error-quota of claude, grok and ax-glm.
  [
    "quota-exhausted plain",
    /\bcredit balance|\b(?:insufficient|low|negative|not enough) (?:account )?(?:balance|credits?|funds)|\bbalance is (?:insufficient|too low|empty|negative)|\bout of (?:[\w-]+ ){0,2}(?:credits?|usage|quota|funds|messages|requests)\b|\b(?:no|used all(?: of)?|exhausted)(?: your| the| its)?(?: available| remaining)? credits?\b|\bcredits? (?:have |has )?(?:been )?(?:exhausted|used up|depleted|expired)|\bno resource package/i,
    /\b(?:requires?|needs?) (?:more|additional|paid|usage) (?:[\w-]+ )?(?:credits?|usage|balance)\b|\busage credits (?:are )?required\b|\bcan only afford\b|\b(?:does not|doesn't|do not|don't) have (?:any|enough|sufficient) (?:[\w-]+ ){0,3}(?:credits?|quota|balance|funds|usage)\b|\bhave no (?:[\w-]+ ){0,2}(?:quota|credits?|balance|funds)\b|\bno (?:quota|credits?|balance|funds) (?:left|remaining|available)\b/i,
    /\bpayment required\b|\bno payment method|\bpayment method\b.{0,30}\b(?:required|declined|failed|missing)|\b(?:unpaid|overdue|past[- ]due)\b|\bArrearage\b|\baccount is (?:not )?in good standing|\bupgrade to a paid (?:account|plan|tier)|\bbilling (?:is |has )?(?:not (?:enabled|active|set up)|required|inactive)|\bbilling_(?:error|not_active)/i,
    /\b(?:out of|draws? from(?: your)?|requires?|enable|turn on|buy|purchase) extra usage\b|\bextra usage (?:is |has been )?(?:required|exhausted|disabled|not enabled)|\b(?:have|has) a free quota tier|\b(?:doesn't|does not) have (?:a )?free (?:quota|tier)/i,
    /\b(?:subscription|trial|plan)\b.{0,20}\b(?:has |is )?(?:expired|ended|lapsed|quota exceeded)\b|\bkey limit exceeded|\bTo use Codex with your ChatGPT plan, upgrade/i,
  ],
  // What an organization has not given to this account, or has taken from it: recordings and strings of Claude Code 2.1.326.
  [
    "quota-exhausted plain",
    /\bseat type (?:does not|doesn't) include\b|\busage allocation (?:has been |was |is )?disabled\b|\busage is paused for (?:your|this|the) (?:org|team|workspace|account)/i,
  ],
  // What is used up, before or after the word for that.
  [
    "quota-exhausted plain",
    new RegExp(
      `\\b(?:run|ran|running) out of (?:[\\w-]+ ){0,3}${SUPPLY}\\b|\\b${SUPPLY} (?:(?:is|are|has|have|was|were|been) ){0,2}${GONE}\\b`,
      "i",
    ),
    new RegExp(
      `\\b(?:no|zero|0|not enough|insufficient) (?:more )?(?:[\\w-]+ ){0,2}${SUPPLY} (?:left|remaining|available)\\b`,
      "i",
    ),
    new RegExp(
      `\\b(?:used|consumed|spent|exhausted|depleted) (?:up )?(?:all|100%) (?:of )?(?:your|the|its) (?:[\\w-]+ ){0,3}${SUPPLY}\\b`,
      "i",
    ),
    /\b(?:top[- ]?up|recharge|add (?:more )?(?:credits?|funds)|buy (?:more )?credits?|purchase (?:more )?credits?)\b[^.\n]{0,60}\b(?:to continue|your account|your balance|and (?:try|retry))|\bplease (?:recharge|top[- ]?up|add (?:credits?|funds))\b/i,
    /\bno active (?:subscription|plan)\b|\b(?:requires?|needs?) (?:an? )?(?:active |paid |valid )+(?:subscription|plan)\b|\bsubscription (?:is |was |has been )?(?:inactive|not active|cancell?ed|required|paused)\b|\bplan (?:is |was |has been )?(?:inactive|not active|cancell?ed|paused)\b/i,
    /\b(?:spend(?:ing)?|usage|cost|budget|billing|credit) (?:cap|ceiling)\b|\b(?:cap|limit) set by (?:your|the) (?:[\w-]+ ){0,2}(?:owner|admin\w*|organi[sz]ation|team)\b|\blimits? for (?:today|this (?:billing )?(?:cycle|period|month|week))\b|\btoday's (?:[\w-]+ ){0,2}(?:limit|quota|allowance)\b/i,
  ],
  // A limit of hours or days is no rate limit, whatever its name and its status.
  [
    "quota-exhausted plain if long-limit",
    /\brate[\s_-]?limit|\btoo[\s_-]many[\s_-](?:requests|tokens)|(?<![a-z])throttl|\bquota|\bRESOURCE[\s_.-]?EXHAUSTED|\b(?:exceed|reach|exhaust|hit|us)\w*\b.{0,60}\blimit|\blimit\b.{0,40}\b(?:reach|exceed|exhaust|hit)|\busage exceeded|\bexhausted your|(?<![\w.])429(?![\w.])/i,
  ],
  // Google calls a limit per minute an exhausted quota too. Fixtures gemini/error-429-retry-after, claude/error-429-*.
  [
    "rate-limited sentence if short-limit",
    /\bRESOURCE[\s_.-]?(?:(?:has been|was|is) )?EXHAUSTED|\bexceeded your current quota|\bexhausted your (?:capacity|quota)|\bquota\b.{0,40}\b(?:exceeded|exhausted|reached)|\b(?:exceeded|exhausted)\b.{0,40}\bquota/i,
  ],
  // OpenAI calls a request with more tokens than a minute allows too large.
  [
    "rate-limited plain if short-limit",
    /\b(?:tokens|requests|input tokens|output tokens|images) per min(?:ute)?\b[^\n]{0,20}\blimit:? \d/i,
  ],
  [
    "quota-exhausted sentence",
    /\b(?:exceeded|exhausted|reached|hit) your (?:[\w-]+ ){0,3}usage\b/i,
    /\bexceeded your current quota|\b(?:insufficient|exceeded|exhausted|reached|over|used up|no remaining)[\s_-](?:[\w'-]+ ){0,4}quota\b|\bquota(?: (?:has|have|is|was))?(?: been)?[\s_.-]?(?:exceeded|exhausted|reached|used up|depleted|spent|insufficient)|\bquota limit (?:reached|exceeded)|(?<![A-Za-z0-9])(?<!\bnot your\s{1,9})(?:billing[\s_.-]?hard|credit|usage)[\s_.-]?limit|(?<![A-Za-z0-9])insufficient[\s_.-]?quota|\bexhausted your (?:capacity|quota)|\busage (?:limits? )?exceeded/i,
    /(?<![A-Za-z0-9])RESOURCE[\s_.-]?EXHAUSTED|\bresource (?:has been|was|is) exhausted\b/i,
  ],
  [
    "rate-limited wrapper",
    /\brate[ _-]limit(?:s|ed)?\b.{0,30}\b(?:reached|exceeded|hit)\b|\b(?:hit|reached|exceeded?|exceeds|over|been)\b (?:[\w'-]+ ){0,4}rate[ -]limit|\brequest (?:frequency|rate)\b.{0,30}\b(?:limited|high|exceeded)|\b(?:high|reduce|exceeded?|too high) (?:[\w-]+ ){0,2}concurrency\b|\b(?:concurrency|concurrent (?:requests?|sessions?)) limit\b|\btoo many concurrent\b|\brate limiter\b|\brequests? too (?:quickly|fast|often|frequently)\b|\brequests? (?:are |is )?too (?:frequent|fast|often)|\bslow[ _]down\b|\blimiting requests\b/i,
    /\b(?:requests?|calls?|traffic|you|account|client|ip)\b[^.\n]{0,30}\b(?:(?:being|been|are|is|was|were|temporarily) )+(?:throttled|rate[- ]limited)\b|\btoo many (?:[\w-]+ ){1,2}requests\b|\btoo many (?:[\w-]+ ){0,2}(?:calls|messages|queries|attempts|connections|sessions|prompts)\b|\b(?:concurrent|parallel|simultaneous) (?:[\w-]+ )?(?:requests?|connections?|sessions?|calls)\b[^.\n]{0,40}\b(?:exceed\w*|limit\w*|too many|maximum|reached)|\b(?:requests?|tokens?|calls?) per (?:second|min(?:ute)?)\b[^.\n]{0,30}\b(?:exceed\w*|limited|reached)|\brequest rate (?:is |was |has )?(?:increased|too|exceed)/i,
  ],
  // Weak: a limit is named, and so is something wrong with it.
  [
    "quota-exhausted trace",
    /\b(?:quota|credits?|billing|balance|allowance|spending)\b.{0,60}\b(?:exceed\w*|exhaust\w*|reached|insufficient|too low|required)\b|\b(?:exceed\w*|exhaust\w*|insufficient|purchase|buy)\b.{0,40}\b(?:quota|credits|billing|balance)\b/i,
  ],
];

const SECRET = "(?:api[- ]?key|access key|credentials?|(?:[\\w-]+ )?token|secret|password|bearer)";

/** What a login consists of, and the words for it being wrong. */
const LOGIN =
  "(?:api[- ]?keys?|access keys?|credentials?|(?:oauth|access|auth\\w*|refresh|bearer|session|security|id|personal access|github) tokens?|log-?in|sign-?in|password|subscription key|jwt)";
const WRONG =
  "expired|revoked|invalid|invalidated|rejected|not valid|not accepted|not supported|not recogni[sz]ed|not meet|disabled|missing|required|refreshed|verified|decoded";

/** The words of accounts that may not use a service, and of logins that are missing, wrong or over. */
export const LOGIN_WORDS: readonly Wording[] = [
  // The account of the user and not one request: "violation of Terms" alone would be a refusal.
  [
    "access-denied plain if service-reached",
    /\b(?:account|organi[sz]ation|workspace|project|service) (?:(?:has|have|is|was|were|been|already|permanently|temporarily) ){1,3}(?:disabled|suspended|deactivated|banned|terminated|restricted|blocked)\b.{0,80}\bviolat|\b(?:disabled|suspended|deactivated|banned|blocked) (?:in|for|on) (?:this|your) account\b.{0,80}\bviolat|\bTOS_VIOLATION\b/i,
  ],
  // Fixtures not-logged-in*, error-401, error-403, text-format-error-401.
  [
    "access-denied sentence if service-reached",
    /\b(?:organi[sz]ation|account|project|admin\w*|workspace|team|user|subscription|(?:api )?key)\b.{0,120}\b(?:is|was|has|been) (?:been )?(?:temporarily )?(?:disabled|suspended|deactivated|banned|blocked|restricted|locked|terminated)\b|\b(?:does not|do not|doesn't|don't) have (?:permission|access)\b|\bdisabled (?:organi[sz]ation|account|workspace|project)\b|\bnot allowed for this organi[sz]ation|\breported as leaked|\bfailed to authenticate.{0,40}\b403\b/i,
    /\b(?:account|api key|organi[sz]ation|user|you|caller|plan|team|subscription|credential)\b.{0,30}\b(?:not (?:allowed|permitted|authori[sz]ed|entitled|eligible|licensed) to|may not|cannot|can't) (?:use|access|sample|call)\b|\b(?:not (?:eligible|licensed|entitled|approved|provisioned)|ineligible) (?:for|to)\b|\bonly authori[sz]ed for use\b|\bno longer a member\b|\b(?:oauth|api key|subscription) (?:authentication|access|login|auth) is (?:currently )?not (?:supported|allowed|available)/i,
    /\b(?:disabled|blocked|restricted|suspended|turned off|revoked) by (?:your|the|an|its) (?:\w+ )?(?:admin\w*|organi[sz]ation|workspace|team|owner)\b|\brestricted from using\b|\b(?:denied|no|lacks?) (?:you )?access to\b|\bcan only be used (?:from|with|by|in)\b|\baccess (?:is |was |has been )?(?:paused|denied|disabled|blocked|restricted|revoked)\b|\bAccessDenied|\bdenied by (?:[\w-]+ ){0,3}polic|\b(?:polic(?:y|ies)|administrator|admin|organi[sz]ation)\b.{0,40}\b(?:prevent\w*|blocks?|blocked|disabled|forbids?|does not allow|doesn't allow)|\bpolicy (?:setting|enablement)|\bin breach of\b|\bAPI\b.{0,60}\bhas not been used in project|\bis not enabled for (?:your|this)|\bis disabled for (?:your|this) (?:org|team|workspace|account|project)|\bnot (?:available|included|supported|allowed) (?:with|on|in|for|under) (?:the |your |this |our )?(?:[\w-]+ ){0,3}(?:plan|tier|subscription)\b|\b(?:organi[sz]ation|account|identity) must be verified|\bnot accessible by\b|\bterms (?:of service|and conditions)\b.{0,40}\baccept/i,
  ],
  // A kind of login that the vendor has ended: reported texts of Gemini CLI (google-gemini/gemini-cli#18293) and Qwen Code.
  ["access-denied sentence if service-reached", /\bclient is no longer supported for\b|\bIneligibleTierError\b/],
  [
    "not-logged-in sentence if service-reached",
    /\b(?:oauth|log-?in|sign-?in)\b[^.\n]{0,40}\b(?:was|has been|is) discontinued\b/i,
  ],
  [
    "access-denied sentence if for-good",
    /\b(?:country|region|territory|location)\b.{0,40}\b(?:not[ -]?(?:supported|available|allowed)|unsupported)|\bunsupported_?[ _](?:country|region|territory|location)|\bnot (?:currently )?(?:available|supported|allowed) in (?:your|this) (?:country|region|location)/i,
  ],
  [
    "access-denied sentence if service-reached",
    /\b(?:missing|insufficient|invalid|required|lacks?|needs?)\b[^.\n]{0,40}\bscopes?\b|\bscopes? (?:requirement|is missing|are missing|not granted)|\binsufficient (?:permissions?|privileges?|rights?|access)\b(?! (?:to|for) (?:install|update|auto|write|create|npm))|\b(?:user|account|organi[sz]ation|team|tenant|customer) (?:was |is )?(?:not found|does not exist|could not be found|unknown)\b|\bnot a member of\b|\b(?:requires?|needs?|pending|awaiting) (?:[\w-]+ )?(?:verification|approval)\b[^.\n]{0,20}\b(?:before|to use|account|organi[sz]ation)|\bdo(?:es)? not (?:have|hold) (?:an? |the )?(?:[\w-]+ ){0,2}(?:licen[cs]e|role|entitlement|seat)\b|\bno (?:licen[cs]e|seat) (?:assigned|available|found)\b/i,
  ],
  [
    "not-logged-in sentence if service-reached",
    new RegExp(
      `\\b${LOGIN}s?(?: \\([^)\\n]{1,40}\\))? (?:(?:you |that )?(?:\\w+ )?(?:is|are|was|were|has|have|been|does|do|did|could|can|may) ){1,3}(?:already |now |no longer |not )*(?:${WRONG})\\b`,
      "i",
    ),
    new RegExp(
      `\\b(?:${WRONG.replaceAll("not ", "un")}|malformed|wrong|incorrect|bad|unknown|no|empty) (?:valid |active |usable )?(?:[\\w-]+ )?${LOGIN}s?\\b(?! (?:helper|file|count|limit|usage|per|id))`,
      "i",
    ),
    /\bto (?:use|continue|access|start)\b[^.\n]{0,40}, (?:please |you must |first )?(?:sign|log) ?in\b|\b(?:sign|log) ?in (?:with|using|via) (?:[\w-]+ ){1,3}or (?:provide|set|use)\b|\bprovide (?:an?|your) (?:valid )?api[- ]key\b|\b(?:login|sign-?in|logged in|signed in) (?:is |are )?(?:required|needed|necessary)\b|\bnot authenticated\b|\b(?:device|user) code\b[^.\n]{0,40}\b(?:fail\w*|expired|denied|invalid)|\bdevice authori[sz]ation\b[^.\n]{0,30}\bfail/i,
    /\bnot (?:logged|signed) in|\b(?:please|must|need to) (?:first )?(?:re-?)?(?:log|sign) ?in\b|(?<!\b(?:failed|unable) )\b(?:to|and|try) sign(?:ing)? in\b|\b(?:log|sign|logging|signing) ?in again\b|\brun \S{0,40}\blogin\b|\b(?:re-?)?run [`'"]?(?:[\w-]+ ){0,3}(?:auth )?login\b|\b(?:log-?in|sign-?in|session|credentials?|device code|authori[sz]ation code|signature|refresh token|grant) (?:has |have |is |are |was )?(?:already )?expired/i,
    /\btoken (?:has |is |was )?(?:been )?(?:expired|revoked|already used|invalidated|no longer valid|invalid)|\btoken could not be (?:refreshed|verified|parsed)|\b(?:parse|verify|validate|refresh) your (?:[\w-]+ )?token|\binvalid (?:oauth|access|bearer|auth\w*|refresh|security) token|\b(?:consent|authori[sz]ation|authentication) (?:could not be|was not|cannot be) (?:obtained|given|granted|completed)|\bto authenticate, or\b|\bno (?:valid |active |usable )?(?:[\w-]+ ){0,3}(?:oauth |access |auth )?token (?:was |is )?(?:detected|found|available|configured)\b|\bno authentication (?:information|token|credentials|method)|\bNo auth type is selected|\bPlease set an Auth method|\b(?:token|session) is no longer valid|\bsecurity token\b.{0,40}\b(?:expired|invalid)/i,
    /\b(?:invalid|incorrect|missing|expired|bad|no|wrong) (?:x-)?api[- ]key\b|\bapi[- ]key (?:is |was |has )?(?:not valid|invalid|required|missing|expired|not found|not set|incorrect|been (?:disabled|revoked))|\bx-api-key header|\binvalid x-api-key|\bAPI_KEY_INVALID\b|\b(?:missing|must (?:specify|set|provide)|please set)\b.{0,40}_(?:API_)?KEY\b/i,
    /\b(?:missing|no|empty|invalid|wrong|bad|incorrect) (?:valid )?(?:[\w-]+ ){0,3}(?:api[- ]?key|credentials?|bearer)\b(?! (?:helper|file format))/i,
    new RegExp(
      `\\b(?:could(?: not|n't)|cannot|can't|unable to|failed to) (?:load|find|resolve|get|read|obtain|locate|retrieve) (?:[\\w-]+ ){0,4}(?:${SECRET}|authentication(?: method)?|login)\\b`,
      "i",
    ),
    /\binvalid[ _](?:grant|client|token|credentials?)\b|\b(?:expired|unauthorized)_(?:token|client)\b|\bExpiredToken|\bInvalidSignature|\bSignatureDoesNotMatch|\bUnrecognizedClient|\bInvalidClientTokenId|\bCredentialsProvider|\bbad credentials|\bauthenticat\w+ (?:is )?required\b|\bauthentication_error\b|\b(?:please|must|need to) (?:re-?)?authenticate\b|\bre-?authenticat(?:e|ion)\b|\bAuth(?:entication)?RequiredError\b|\bSSO\b.{0,60}\b(?:expired|sign in|log ?in|authori[sz])|\bSAML\b|\bapiKeyHelper\b.{0,40}\bfail|\bto authori[sz]e (?:the|this) (?:application|app|device|cli)\b/i,
  ],
  ["access-denied trace if service-reached", /\bforbidden\b|\bpermission_error\b|\bnot permitted\b/i],
  ["not-logged-in trace if service-reached", /\bunauthori[sz]ed\b|\bunauthenticated\b|\blogin\b[^.\n]{0,20}\b(?:error|fail\w*)/i],
  // Weak: a login is named, and so is something wrong with it.
  [
    "not-logged-in trace if service-reached",
    /\b(?:oauth|login|sign-?in|credentials?|authenticat\w+|authori[sz]ation|api[- ]?key)\b[\w :-]{0,60}\b(?:fail\w*|error|required|expired|invalid|missing|denied|rejected|cancell?ed|not (?:found|set|configured|supported))\b|\b(?:fail\w*|invalid|missing|unable|could not|cannot)\b.{0,40}\b(?:oauth|login|credentials?|authenticat\w+|authori[sz]ation|api[- ]?key)\b/i,
  ],
];
