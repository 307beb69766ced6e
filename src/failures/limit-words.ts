import type { Wording } from "./weights.ts";

const SPENT = "(?:reached|exceeded|exhausted|spent|used(?: up)?|hit|depleted|over|ended|resets?|consumed)";
const SPENDING = "(?:reached|exceeded|exceeds?|exhausted|hit|used(?: up)?|spent|consumed|over|surpassed)";
const PERIOD = "(?:daily|weekly|monthly|yearly|annual|(?:\\d{1,2}|five|one)[- ]?(?:h(?:ou)?r|day|week|month)s?|hourly|session)";

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
    new RegExp(`\\b${SPENDING} (?:your|the|its|this) (?:[\\w'-]+ ){0,4}(?:cap|allowance|allotment|budget)\\b`, "i"),
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
    /\bRESOURCE[\s_.-]?EXHAUSTED|\bexceeded your current quota|\bexhausted your (?:capacity|quota)|\bquota\b.{0,40}\b(?:exceeded|exhausted|reached)|\b(?:exceeded|exhausted)\b.{0,40}\bquota/i,
  ],
  [
    "quota-exhausted",
    "sentence",
    "always",
    /\bexceeded your current quota|\b(?:insufficient|exceeded|exhausted|reached|over|used up|no remaining)[\s_-](?:[\w'-]+ ){0,4}quota\b|\bquota(?: (?:has|have|is|was))?(?: been)?[\s_.-]?(?:exceeded|exhausted|reached|used up|depleted|spent|insufficient)|\bquota limit (?:reached|exceeded)|(?<![A-Za-z0-9])(?<!\bnot your\s{1,9})(?:billing[\s_.-]?hard|credit|usage)[\s_.-]?limit|(?<![A-Za-z0-9])insufficient[\s_.-]?quota|\bexhausted your (?:capacity|quota)|\busage (?:limits? )?exceeded/i,
    /(?<![A-Za-z0-9])RESOURCE[\s_.-]?EXHAUSTED/i,
  ],
  [
    "rate-limited",
    "wrapper",
    "always",
    /\brate[ _-]limit(?:s|ed)?\b.{0,30}\b(?:reached|exceeded|hit)\b|\b(?:hit|reached|exceeded?|exceeds|over|been)\b (?:[\w'-]+ ){0,4}rate[ -]limit|\brequest (?:frequency|rate)\b.{0,30}\b(?:limited|high|exceeded)|\b(?:high|reduce|exceeded?|too high) (?:[\w-]+ ){0,2}concurrency\b|\b(?:concurrency|concurrent (?:requests?|sessions?)) limit\b|\btoo many concurrent\b|\brate limiter\b|\brequests? too (?:quickly|fast|often|frequently)\b|\brequests? (?:are |is )?too (?:frequent|fast|often)|\bslow[ _]down\b|\blimiting requests\b/i,
  ],
  // Weak: a limit is named, and so is something wrong with it.
  [
    "quota-exhausted",
    "trace",
    "always",
    /\b(?:quota|credits?|billing|balance|allowance|spending)\b.{0,60}\b(?:exceed\w*|exhaust\w*|reached|insufficient|too low|required)\b|\b(?:exceed\w*|exhaust\w*|insufficient|purchase|buy)\b.{0,40}\b(?:quota|credits|billing|balance)\b/i,
  ],
];
