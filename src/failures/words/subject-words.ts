import type { FailureCode } from "../../spec/failure/failure-codes.ts";
import type { Wording } from "./weights.ts";

/** The Chinese words of Zhipu (GLM), Alibaba (Qwen) and the gateways in front of them. */
export const CHINESE_WORDS: readonly Wording[] = [
  [
    "quota-exhausted plain",
    /余额(?:不足|已用)|额度(?:已|不足|用|耗|失败)|(?:剩余|可用)额度|(?:使用|用量|调用|限额|配额|次数).{0,10}(?:上限|用完|用尽|耗尽|超出|不足)|资源包|请充值|欠费|套餐.{0,10}(?:到期|过期|用完|用尽|不支持)|免费.{0,10}(?:用完|用尽|耗尽|结束)/,
  ],
  [
    "rate-limited sentence",
    /请求(?:过于频繁|太频繁|过多|次数过多|频率)|频率(?:过高|限制|超)|速率(?:限制|过高)|并发(?:数|量)?(?:过高|超|限制)|限流|(?:降低|控制)(?:请求)?(?:并发|频率)/,
  ],
  ["overloaded sentence", /访问量(?:过大|较大)|(?:负载|系统|服务器?|模型|算力).{0,8}(?:繁忙|过载|饱和|过高|紧张)/],
  ["context-overflow sentence", /(?:上下文|输入|提示词|prompt|tokens?).{0,12}(?:超长|过长|超出|超过)/i],
  ["refused sentence", /敏感(?:内容|信息|词)|不安全.{0,6}内容|内容.{0,8}(?:违规|不合规|审核)/],
  ["model-unknown sentence", /模型.{0,12}(?:不存在|未找到|找不到|不支持|已下线|已停用)|无可用(?:渠道|模型)/],
  ["access-denied sentence", /无权(?:限|访问|使用)|没有权限|权限不足|禁止访问|账[户号].{0,10}(?:封禁|冻结|锁定|停用|禁用|异常)/],
  [
    "not-logged-in sentence",
    /(?:令牌|密钥|身份|认证|鉴权|凭证|登录|token|api ?key).{0,12}(?:无效|过期|失败|失效|不正确|错误|非法|缺失|为空)|未登录|(?:请|需要)(?:先|重新)?登录|无效的?(?:令牌|密钥|凭证|api)|未授权/i,
  ],
  ["connection-failed sentence", /网络(?:错误|异常|连接|不)|连接(?:错误|失败|超时|被拒)/],
  ["upstream-timeout trace", /超时/],
  ["server-error trace", /(?:服务|系统|服务器|内部).{0,4}(?:错误|异常|不可用)/],
  ["bad-request trace", /参数.{0,6}(?:错误|有误|无效|非法|不合法)/],
];

/** A subject of a failure, and words that say what is wrong with it; in one sentence, in either order. */
type Subject = readonly [code: FailureCode, nouns: string, states: string];

const NOT = "(?:not|n't|never|no longer|cannot|unable to|failed to|fails to)";
const GONE =
  "(?:exhausted|depleted|used up|spent|consumed|gone|run out|ran out|reached|exceed\\w*|hit|over|maxed out|insufficient|not enough|too low|empty)";
const BROKEN =
  "(?:fail\\w*|error|invalid|wrong|incorrect|malformed|expired|ended|missing|revoked|rejected|declined|denied|refused|lost|stale|corrupt\\w*|required|needed)";
const OFF =
  "(?:disabled|turned off|switched off|removed|suspended|blocked|restricted|locked|denied|revoked|paused|deactivated|terminated|lacks?|without|required|missing|must be granted|grant)";

/**
 * The vocabulary of each failure, as a person would describe it: a noun and a state. It counts only where nothing more exact is known. The
 * first subject counts.
 */
const SUBJECTS: readonly Subject[] = [
  [
    "tool-denied",
    "(?:tools?|tool calls?|(?:shell )?commands?|edits?)",
    "(?:(?:not allowed|not permitted|disallowed|denied|rejected|refused)(?: (?:by|in|without|for))|approval (?:is )?(?:required|denied))",
  ],
  [
    "context-overflow",
    "(?:prompt|input|context|conversation|history|transcript)",
    "(?:too (?:long|large|big)|exceed\\w*|longer than|larger than|over(?:flow\\w*| the (?:limit|maximum)))",
  ],
  [
    "quota-exhausted",
    "(?:usage|credits?|quotas?|balance|allowance|allotment|funds|(?:premium |free )?requests?|subscription|free tier|trial|plan limit)",
    `(?:(?:(?:is|are|has|have|was|were|been|all|fully|already) ){0,3}${GONE}\\b(?! (?:a|an|the|by) )(?!\\w* retr))`,
  ],
  [
    "rate-limited",
    "(?:requests?|calls?|traffic|messages|queries|tokens)",
    "(?:(?:limited|restricted|capped) to \\d+|throttled|per (?:second|minute)|too (?:fast|quickly|frequent\\w*|often)|slow down)",
  ],
  [
    "refused",
    "(?:(?:usage|content|safety|acceptable use) polic(?:y|ies)|guidelines|safety|moderation|responsible AI|RECITATION|BLOCKLIST|SAFETY|SPII)",
    "(?:conflict\\w*|violat\\w*|block\\w*|refus\\w*|declin\\w*|can't help|cannot help|flagged|filtered|against|not comply|rejected)",
  ],
  [
    "connection-failed",
    "(?:connect(?:ion|ing|ivity)?|network|internet|firewall|VPN|proxy|DNS|socket|HTTP/?2|TLS|SSL|certificates?|hostname|reach(?:ing)?|offline)",
    `(?:fail\\w*(?! attempt)|(?<!\\bno )errors?|unable|cannot|can't|could not|couldn't|lost|dropped|closed|reset|refused|down|blocked|timed out|unreachable|broken|interrupted|check your|may be|${NOT} (?:reach|connect|resolve|establish))`,
  ],
  [
    "server-error",
    "(?:servers?|services?|API|upstream|provider|backend|gateway|inference|platform)",
    "(?:outage|degraded|disruption|maintenance|incident|is down|went wrong|crashed|failure|failed|internal (?:error|failure))",
  ],
  [
    "upstream-timeout",
    "(?:respon(?:se|d)|reply|answer|request|operation|model|server)",
    "(?:(?:within|after) \\d+ ?(?:ms|s|sec\\w*|min\\w*)|too long|not received|timed? ?out|no reply)",
  ],
  [
    "session-unknown",
    "(?:sessions?|conversations?|threads?|rollouts?)(?! (?:files?|director))",
    `(?:(?:does|did|do|could|can|was|is)(?: not|n't) (?:exist|found|be (?:found|resumed|restored))|not found|unknown|no such|could not resume)`,
  ],
  [
    "model-unknown",
    "models?",
    `(?:(?:does|did|do)(?: not|n't) exist|not (?:found|available|supported|enabled|offered|recogni[sz]ed)|unknown|unsupported|unavailable|retired|deprecated|removed|discontinued|no longer|no such|invalid model)`,
  ],
  [
    "not-logged-in",
    "(?:(?<!unexpected )tokens?|api keys?|credentials?|log ?in|sign ?in|logged in|signed in|OAuth|auth(?:entication|orization|orisation)?|consent|password|session(?! files?))",
    `(?:(?:${BROKEN})|not (?:available|valid|found|set|loaded|provided|configured|accepted|recogni[sz]ed)|again|to continue|no longer|does not have)`,
  ],
  [
    "access-denied",
    "(?:access|permissions?|roles?|seats?|licen[cs]es?|entitlements?|administrators?|admins?|organi[sz]ations?|accounts?|API|workspace|country|region)",
    `(?:${OFF}|not (?:been )?(?:enabled|allowed|permitted|granted|authori[sz]ed|entitled|assigned|included|eligible|supported)|does not have|do not have|don't have|doesn't have)`,
  ],
  [
    "cli-misconfigured",
    "(?:config\\w*(?! missing)|settings?|profile|(?:options?|flags?|arguments?|values?)(?= [^.\\n]{0,20}['\"`<]|['\"`]?-)|(?:option|flag|argument|value)|environment variables?|\\.env|region|--[a-z][\\w-]+|workspace folder)",
    "(?:missing|required|unset|undefined|not (?:set|found|valid|configured|resolve|supplied|recogni[sz]ed)|invalid|unknown|conflict\\w*|none was supplied|must be set|expected|deprecated)",
  ],
  [
    "bad-request",
    "(?:requests?|fields?|payload|schema|properties|property|messages|body|JSON payload|attachments?|images?|files?)",
    "(?:invalid|must|malformed|unsupported|unknown|cannot find|not (?:supported|valid|allowed|accepted)|unable to submit|expected|too (?:many|large|big|long)|exceed\\w*|missing|required)",
  ],
  [
    "upstream-garbled",
    "(?:respon(?:se|ses)|repl(?:y|ies)|answers?|output|completions?|chunks?|SSE|events?)",
    "(?:empty|malformed|invalid|incomplete|garbled|unparseable|unexpected|not (?:contain|parse|valid|understood))",
  ],
];

/** The words of each subject as evidence of the weakest kind. */
export const SUBJECT_WORDS: readonly Wording[] = SUBJECTS.map(([code, nouns, states]) => [
  `${code} subject if service-reached`,
  new RegExp(
    `(?<![\\w.-])${nouns}(?![\\w-])[^.!?:;\\n]{0,60}?(?<!\\w)${states}(?!\\w)|(?<!\\w)${states}(?!\\w)[^.!?:;\\n]{0,60}?(?<![\\w.-])${nouns}(?![\\w-])`,
    "i",
  ),
]);
