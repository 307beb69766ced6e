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
    "overloaded",
    "plain",
    "always",
    /\bno capacity\b|\bCAPACITY_EXHAUSTED\b|\b(?:at|over|insufficient) capacity\b|\bcapacity (?:constraints?|is (?:currently )?(?:limited|unavailable|exceeded))/i,
  ],
  // Fixtures error-quota of all CLIs, codex/error-usage-not-included.
  [
    "quota-exhausted",
    "plain",
    "always",
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
    "quota-exhausted",
    "plain",
    "always",
    /\bcredit balance|\b(?:insufficient|low|negative|not enough) (?:account )?(?:balance|credits?|funds)|\bbalance is (?:insufficient|too low|empty|negative)|\bout of (?:[\w-]+ ){0,2}(?:credits?|usage|quota|funds|messages|requests)\b|\b(?:no|used all(?: of)?|exhausted)(?: your| the| its)?(?: available| remaining)? credits?\b|\bcredits? (?:have |has )?(?:been )?(?:exhausted|used up|depleted|expired)|\bno resource package/i,
    /\b(?:requires?|needs?) (?:more|additional|paid) (?:[\w-]+ )?(?:credits?|usage|balance)\b|\bcan only afford\b|\b(?:does not|doesn't|do not|don't) have (?:any|enough|sufficient) (?:[\w-]+ ){0,3}(?:credits?|quota|balance|funds|usage)\b|\bhave no (?:[\w-]+ ){0,2}(?:quota|credits?|balance|funds)\b|\bno (?:quota|credits?|balance|funds) (?:left|remaining|available)\b/i,
    /\bpayment required\b|\bno payment method|\bpayment method\b.{0,30}\b(?:required|declined|failed|missing)|\b(?:unpaid|overdue|past[- ]due)\b|\bArrearage\b|\baccount is (?:not )?in good standing|\bupgrade to a paid (?:account|plan|tier)|\bbilling (?:is |has )?(?:not (?:enabled|active|set up)|required|inactive)|\bbilling_(?:error|not_active)/i,
    /\b(?:out of|draws? from your|requires?|enable|turn on|buy|purchase) extra usage\b|\bextra usage (?:is |has been )?(?:required|exhausted|disabled|not enabled)|\b(?:have|has) a free quota tier|\b(?:doesn't|does not) have (?:a )?free (?:quota|tier)/i,
    /\b(?:subscription|trial|plan)\b.{0,20}\b(?:has |is )?(?:expired|ended|lapsed|quota exceeded)\b|\bkey limit exceeded|\bTo use Codex with your ChatGPT plan, upgrade/i,
  ],
  // What is used up, before or after the word for that.
  [
    "quota-exhausted",
    "plain",
    "always",
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
    "quota-exhausted",
    "plain",
    "long-limit",
    /\brate[\s_-]?limit|\btoo[\s_-]many[\s_-](?:requests|tokens)|(?<![a-z])throttl|\bquota|\bRESOURCE[\s_.-]?EXHAUSTED|\b(?:exceed|reach|exhaust|hit|us)\w*\b.{0,60}\blimit|\blimit\b.{0,40}\b(?:reach|exceed|exhaust|hit)|\busage exceeded|\bexhausted your|(?<![\w.])429(?![\w.])/i,
  ],
  // Google calls a limit per minute an exhausted quota too. Fixtures gemini/error-429-retry-after, claude/error-429-*.
  [
    "rate-limited",
    "sentence",
    "short-limit",
    /\bRESOURCE[\s_.-]?(?:(?:has been|was|is) )?EXHAUSTED|\bexceeded your current quota|\bexhausted your (?:capacity|quota)|\bquota\b.{0,40}\b(?:exceeded|exhausted|reached)|\b(?:exceeded|exhausted)\b.{0,40}\bquota/i,
  ],
  // OpenAI calls a request with more tokens than a minute allows too large.
  [
    "rate-limited",
    "plain",
    "short-limit",
    /\b(?:tokens|requests|input tokens|output tokens|images) per min(?:ute)?\b[^\n]{0,20}\blimit:? \d/i,
  ],
  [
    "quota-exhausted",
    "sentence",
    "always",
    /\b(?:exceeded|exhausted|reached|hit) your (?:[\w-]+ ){0,3}usage\b/i,
    /\bexceeded your current quota|\b(?:insufficient|exceeded|exhausted|reached|over|used up|no remaining)[\s_-](?:[\w'-]+ ){0,4}quota\b|\bquota(?: (?:has|have|is|was))?(?: been)?[\s_.-]?(?:exceeded|exhausted|reached|used up|depleted|spent|insufficient)|\bquota limit (?:reached|exceeded)|(?<![A-Za-z0-9])(?<!\bnot your\s{1,9})(?:billing[\s_.-]?hard|credit|usage)[\s_.-]?limit|(?<![A-Za-z0-9])insufficient[\s_.-]?quota|\bexhausted your (?:capacity|quota)|\busage (?:limits? )?exceeded/i,
    /(?<![A-Za-z0-9])RESOURCE[\s_.-]?EXHAUSTED|\bresource (?:has been|was|is) exhausted\b/i,
  ],
  [
    "rate-limited",
    "wrapper",
    "always",
    /\brate[ _-]limit(?:s|ed)?\b.{0,30}\b(?:reached|exceeded|hit)\b|\b(?:hit|reached|exceeded?|exceeds|over|been)\b (?:[\w'-]+ ){0,4}rate[ -]limit|\brequest (?:frequency|rate)\b.{0,30}\b(?:limited|high|exceeded)|\b(?:high|reduce|exceeded?|too high) (?:[\w-]+ ){0,2}concurrency\b|\b(?:concurrency|concurrent (?:requests?|sessions?)) limit\b|\btoo many concurrent\b|\brate limiter\b|\brequests? too (?:quickly|fast|often|frequently)\b|\brequests? (?:are |is )?too (?:frequent|fast|often)|\bslow[ _]down\b|\blimiting requests\b/i,
    /\b(?:requests?|calls?|traffic|you|account|client|ip)\b[^.\n]{0,30}\b(?:(?:being|been|are|is|was|were|temporarily) )+(?:throttled|rate[- ]limited)\b|\btoo many (?:[\w-]+ ){1,2}requests\b|\btoo many (?:[\w-]+ ){0,2}(?:calls|messages|queries|attempts|connections|sessions|prompts)\b|\b(?:concurrent|parallel|simultaneous) (?:[\w-]+ )?(?:requests?|connections?|sessions?|calls)\b[^.\n]{0,40}\b(?:exceed\w*|limit\w*|too many|maximum|reached)|\b(?:requests?|tokens?|calls?) per (?:second|min(?:ute)?)\b[^.\n]{0,30}\b(?:exceed\w*|limited|reached)|\brequest rate (?:is |was |has )?(?:increased|too|exceed)/i,
  ],
  // Weak: a limit is named, and so is something wrong with it.
  [
    "quota-exhausted",
    "trace",
    "always",
    /\b(?:quota|credits?|billing|balance|allowance|spending)\b.{0,60}\b(?:exceed\w*|exhaust\w*|reached|insufficient|too low|required)\b|\b(?:exceed\w*|exhaust\w*|insufficient|purchase|buy)\b.{0,40}\b(?:quota|credits|billing|balance)\b/i,
  ],
];
