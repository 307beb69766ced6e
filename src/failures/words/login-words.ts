import type { Wording } from "./weights.ts";

const SECRET = "(?:api[- ]?key|access key|credentials?|(?:[\\w-]+ )?token|secret|password|bearer)";

/** What a login consists of, and the words for it being wrong. */
const LOGIN =
  "(?:api[- ]?keys?|access keys?|credentials?|(?:oauth|access|auth\\w*|refresh|bearer|session|security|id|personal access|github) tokens?|log-?in|sign-?in|password|subscription key|jwt)";
const WRONG =
  "expired|revoked|invalid|invalidated|rejected|not valid|not accepted|not supported|not recogni[sz]ed|not meet|disabled|missing|required|refreshed|verified|decoded";

/** The words of accounts that may not use a service, and of logins that are missing, wrong or over. */
export const LOGIN_WORDS: readonly Wording[] = [
  // Fixtures not-logged-in*, error-401, error-403, text-format-error-401.
  [
    "access-denied",
    "sentence",
    "service-reached",
    /\b(?:organi[sz]ation|account|project|admin\w*|workspace|team|user|subscription|(?:api )?key)\b.{0,120}\b(?:is|was|has|been) (?:been )?(?:temporarily )?(?:disabled|suspended|deactivated|banned|blocked|restricted|locked|terminated)\b|\b(?:does not|do not|doesn't|don't) have (?:permission|access)\b|\bdisabled (?:organi[sz]ation|account|workspace|project)\b|\bnot allowed for this organi[sz]ation|\breported as leaked|\bfailed to authenticate.{0,40}\b403\b/i,
    /\b(?:account|api key|organi[sz]ation|user|you|caller|plan|team|subscription|credential)\b.{0,30}\b(?:not (?:allowed|permitted|authori[sz]ed|entitled|eligible|licensed) to|may not|cannot|can't) (?:use|access|sample|call)\b|\b(?:not (?:eligible|licensed|entitled|approved|provisioned)|ineligible) (?:for|to)\b|\bonly authori[sz]ed for use\b|\bno longer a member\b|\b(?:oauth|api key|subscription) (?:authentication|access|login|auth) is (?:currently )?not (?:supported|allowed|available)/i,
    /\b(?:disabled|blocked|restricted|suspended|turned off|revoked) by (?:your|the|an|its) (?:\w+ )?(?:admin\w*|organi[sz]ation|workspace|team|owner)\b|\brestricted from using\b|\b(?:denied|no|lacks?) (?:you )?access to\b|\bcan only be used (?:from|with|by|in)\b|\baccess (?:is |was |has been )?(?:paused|denied|disabled|blocked|restricted|revoked)\b|\bAccessDenied|\bdenied by (?:[\w-]+ ){0,3}polic|\b(?:polic(?:y|ies)|administrator|admin|organi[sz]ation)\b.{0,40}\b(?:prevent\w*|blocks?|blocked|disabled|forbids?|does not allow|doesn't allow)|\bpolicy (?:setting|enablement)|\bin breach of\b|\bAPI\b.{0,60}\bhas not been used in project|\bis not enabled for (?:your|this)|\bnot (?:available|included|supported|allowed) (?:with|on|in|for|under) (?:the |your |this |our )?(?:[\w-]+ ){0,3}(?:plan|tier|subscription)\b|\b(?:organi[sz]ation|account|identity) must be verified|\bnot accessible by\b|\bterms (?:of service|and conditions)\b.{0,40}\baccept/i,
  ],
  [
    "access-denied",
    "sentence",
    "for-good",
    /\b(?:country|region|territory|location)\b.{0,40}\b(?:not[ -]?(?:supported|available|allowed)|unsupported)|\bunsupported_?[ _](?:country|region|territory|location)|\bnot (?:currently )?(?:available|supported|allowed) in (?:your|this) (?:country|region|location)/i,
  ],
  [
    "access-denied",
    "sentence",
    "service-reached",
    /\b(?:missing|insufficient|invalid|required|lacks?|needs?)\b[^.\n]{0,40}\bscopes?\b|\bscopes? (?:requirement|is missing|are missing|not granted)|\binsufficient (?:permissions?|privileges?|rights?|access)\b(?! (?:to|for) (?:install|update|auto|write|create|npm))|\b(?:user|account|organi[sz]ation|team|tenant|customer) (?:was |is )?(?:not found|does not exist|could not be found|unknown)\b|\bnot a member of\b|\b(?:requires?|needs?|pending|awaiting) (?:[\w-]+ )?(?:verification|approval)\b[^.\n]{0,20}\b(?:before|to use|account|organi[sz]ation)|\bdo(?:es)? not (?:have|hold) (?:an? |the )?(?:[\w-]+ ){0,2}(?:licen[cs]e|role|entitlement|seat)\b|\bno (?:licen[cs]e|seat) (?:assigned|available|found)\b/i,
  ],
  [
    "not-logged-in",
    "sentence",
    "service-reached",
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
  ["access-denied", "trace", "service-reached", /\bforbidden\b|\bpermission_error\b|\bnot permitted\b/i],
  [
    "not-logged-in",
    "trace",
    "service-reached",
    /\bunauthori[sz]ed\b|\bunauthenticated\b|\blogin\b[^.\n]{0,20}\b(?:error|fail\w*)/i,
  ],
  // Weak: a login is named, and so is something wrong with it.
  [
    "not-logged-in",
    "trace",
    "service-reached",
    /\b(?:oauth|login|sign-?in|credentials?|authenticat\w+|authori[sz]ation|api[- ]?key)\b[\w :-]{0,60}\b(?:fail\w*|error|required|expired|invalid|missing|denied|rejected|cancell?ed|not (?:found|set|configured|supported))\b|\b(?:fail\w*|invalid|missing|unable|could not|cannot)\b.{0,40}\b(?:oauth|login|credentials?|authenticat\w+|authori[sz]ation|api[- ]?key)\b/i,
  ],
];
