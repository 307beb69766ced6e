import type { Wording } from "./weights.ts";

/** The Chinese words of Zhipu (GLM), Alibaba (Qwen) and the gateways in front of them. */
export const CHINESE_WORDS: readonly Wording[] = [
  [
    "quota-exhausted",
    "plain",
    "always",
    /余额(?:不足|已用)|额度(?:已|不足|用|耗|失败)|(?:剩余|可用)额度|(?:使用|用量|调用|限额|配额|次数).{0,10}(?:上限|用完|用尽|耗尽|超出|不足)|资源包|请充值|欠费|套餐.{0,10}(?:到期|过期|用完|用尽|不支持)|免费.{0,10}(?:用完|用尽|耗尽|结束)/,
  ],
  [
    "rate-limited",
    "sentence",
    "always",
    /请求(?:过于频繁|太频繁|过多|次数过多|频率)|频率(?:过高|限制|超)|速率(?:限制|过高)|并发(?:数|量)?(?:过高|超|限制)|限流|(?:降低|控制)(?:请求)?(?:并发|频率)/,
  ],
  ["overloaded", "sentence", "always", /访问量(?:过大|较大)|(?:负载|系统|服务器?|模型|算力).{0,8}(?:繁忙|过载|饱和|过高|紧张)/],
  ["context-overflow", "sentence", "always", /(?:上下文|输入|提示词|prompt|tokens?).{0,12}(?:超长|过长|超出|超过)/i],
  ["refused", "sentence", "always", /敏感(?:内容|信息|词)|不安全.{0,6}内容|内容.{0,8}(?:违规|不合规|审核)/],
  ["model-unknown", "sentence", "always", /模型.{0,12}(?:不存在|未找到|找不到|不支持|已下线|已停用)|无可用(?:渠道|模型)/],
  [
    "access-denied",
    "sentence",
    "always",
    /无权(?:限|访问|使用)|没有权限|权限不足|禁止访问|账[户号].{0,10}(?:封禁|冻结|锁定|停用|禁用|异常)/,
  ],
  [
    "not-logged-in",
    "sentence",
    "always",
    /(?:令牌|密钥|身份|认证|鉴权|凭证|登录|token|api ?key).{0,12}(?:无效|过期|失败|失效|不正确|错误|非法|缺失|为空)|未登录|(?:请|需要)(?:先|重新)?登录|无效的?(?:令牌|密钥|凭证|api)|未授权/i,
  ],
  ["connection-failed", "sentence", "always", /网络(?:错误|异常|连接|不)|连接(?:错误|失败|超时|被拒)/],
  ["upstream-timeout", "trace", "always", /超时/],
  ["server-error", "trace", "always", /(?:服务|系统|服务器|内部).{0,4}(?:错误|异常|不可用)/],
  ["bad-request", "trace", "always", /参数.{0,6}(?:错误|有误|无效|非法|不合法)/],
];
