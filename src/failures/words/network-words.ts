import type { Wording } from "./weights.ts";

/** The words of services that fail for now, and of connections that fail or break. */
export const NETWORK_WORDS: readonly Wording[] = [
  // Fixtures error-529-*, codex/error-500; bodies of a 503 that contain "overloaded".
  ["overloaded", "sentence", "server-status", /\boverloaded/i],
  [
    "overloaded",
    "sentence",
    "always",
    /\b(?:high|heavy|increased|peak|exceptional|unusual(?:ly high)?) (?:[\w-]+ )?(?:demand|load|traffic|volume)\b|\b(?:servers?|services?|models?|systems?|backends?|apis?|engines?|clusters?|providers?|upstreams?)\b[^.\n]{0,30}\b(?:too busy|is busy|are busy|overwhelmed|saturated|not ready|warming up|still loading)\b|\b(?:capacity|resource) (?:limits|shortage|(?:temporarily |currently )?exceeded)\b|\bno (?:healthy|available) (?:upstream|instance|server|backend|replica|channel|worker|provider)s?\b|\bno instances? available\b|\bModelNotReady/i,
    /\bunder (?:high|heavy) load|\bservers? (?:is|are) (?:currently |too )?busy\b|\bserver_is_overloaded|\bno (?:provider|backend|upstream|instance|worker)s? (?:is |are )?(?:currently )?available\b|\b529 overloaded/i,
  ],
  [
    "server-error",
    "sentence",
    "always",
    /\b(?:temporarily|currently|momentarily) (?:unavailable|not available|down|offline)\b|\b(?:under|scheduled|undergoing|for) maintenance\b|\b(?:service|api|partial|major) (?:outage|disruption)\b|\bservice (?:is )?(?:down|degraded)\b|\bServiceUnavailable|\bInternalServer(?:Error|Exception)|\bModelServingError|\bModelErrorException/i,
  ],
  // Fixtures error-stream-cut*, error-connection-refused*.
  [
    "connection-lost",
    "sentence",
    "always",
    /\bEPIPE\b|\bECONNABORTED\b|\bconnection\b.{0,40}\b(?:lost|dropped|interrupted|closed|aborted|reset|terminated)\b|\bother side closed|\bpremature close|\bPREMATURE_CLOSE|\bbroken pipe|\breset by peer|\bpeer closed\b|\bGOAWAY\b|\bERR_HTTP2|\bUND_ERR_SOCKET/i,
    // Codex writes this when the service closes a connection that was open (tests/real/broken-answers).
    /\bbefore completion: error sending request/i,
    /\bTransport error\b|\bsocket (?:connection )?(?:was |has )?(?:been )?(?:disconnected|closed|ended|destroyed)\b|\bsocket hung up\b|\bincomplete chunked read|\berror decoding response body|\bunexpected (?:end of (?:stream|file)|eof)\b|: EOF\s*$|\bIncompleteRead\b|\b(?:server|peer|remote|host|upstream|client) (?:unexpectedly )?(?:disconnected|hung up|closed the connection)\b|\bdisconnected without sending\b|\bRemote(?:Protocol|Disconnected)\w*|\b(?:web ?socket|socket|channel)\b[^.\n]{0,30}\b(?:closed|dropped|lost|reset|broken|disconnected)\b|\blost (?:the |its )?connection\b|\bconnection (?:ended|broke|broken|went away)\b|\bmid-(?:response|stream)\b|\b(?:response|stream|body|connection) (?:was )?(?:ended|closed|cut off) prematurely/i,
    /(?:^|error(?: \([^)\n]{0,80}\))?: ?|(?:cause|fail(?:ed|ure)|reason): ?|\[)terminated\b(?! (?:by|with|after|due))/i,
  ],
  [
    "connection-failed",
    "sentence",
    "always",
    /\bEAI_AGAIN\b|\bE(?:NET|HOST)UNREACH\b|\bENETDOWN\b|\bfailed to lookup address|\bunable to connect|\b(?:could|can) ?(?:not|n't|'t) (?:connect|reach|resolve (?:host|proxy|the (?:host|address)|[\w-]{1,60}\.))|\berror sending request|\bfetch failed|\bfailed to fetch\b(?=\s*(?:$|[.:,;)("'\]]|from\b|https?:))|\bconnection (?:was )?refused|\b(?:refused|declined) (?:the |a |our |your )?(?:\w+ )?connection|\bConnectionRefused|\bFailedToOpenSocket|\bConnection error\b|\bnetwork is unreachable|\bno internet\b|\binternet connection (?:is|was|seems|appears) (?:[\w-]+ )?(?:unreliable|unstable|down|lost|offline)\b|\bUND_ERR_CONNECT|\btcp connect error|\bdns error\b|\bERR_(?:CONNECTION|INTERNET|NAME_NOT|NETWORK|ADDRESS)|\btrouble connecting\b|\bname resolution\b|\bnetwork (?:request failed|connection (?:failed|error|lost))/i,
    /\bname or service not known|\bnodename nor servname|\btemporary failure in name|\bno (?:route to host|address associated|such host)\b|\bmax retries exceeded with url|\b(?:API)?Connect(?:ion)?(?:Error|Exception|Timeout)\b|\bProxyError\b|\bSSLError\b|\bNewConnectionError\b|\bReadError\b|\bENETRESET\b|\bEHOSTDOWN\b|\bdial tcp\b|\bconnectex\b|\bconnection attempt failed|\b(?:host|server|network|service|endpoint|proxy) (?:is |was )?(?:unreachable|not reachable)|\b(?:you are|appear to be|seem to be|device is|computer is) offline\b|\bcould not establish (?:a )?(?:secure )?connection|\b(?:failed|unable) to (?:establish|open|make) (?:a |the )?(?:[\w-]+ )?connection\b|\bpoor (?:internet|network)\b/i,
    /\brequest to \S{1,300} failed\b|\bfailed to connect to (?:the )?(?:api|server|service|host|proxy|(?:https?|wss?):|[\w-]{1,60}\.[\w-])|\berror trying to connect\b|\bunable to (?:reach|resolve) (?:the )?(?:[\w.-]+ )?(?:api|host|server|service|address|network)/i,
    /(?<![a-z])self[- _]?signed|\bunable to (?:verify|get local issuer|get issuer)|\bUNABLE_TO_(?:VERIFY|GET)|(?<![A-Za-z])CERT_[A-Z_]{3,}|(?<![a-z])altname|\bcertificate\b.{0,60}\b(?:expired|invalid|verif\w+|untrusted|unknown|not trusted|revoked|mismatch)|\b(?:invalid|untrusted|expired|bad|unknown) certificate|\bCERTIFICATE_VERIFY_FAILED|\bUnknownIssuer\b/i,
    /\b(?:ssl|tls)(?:v?\d(?:\.\d)?)?\b.{0,60}\b(?:alert|handshake|disconnected|fail\w*|error)|\balert (?:handshake|internal|protocol|number)|\bhandshake ?(?:failure|failed|error|eof)|\bfatal alert\b|\bEPROTO\b|\bERR_(?:SSL|TLS)|\bwrong version number|\bbad record mac|\bsecure TLS connection|\btlsv1 alert/i,
    /\bproxy\b.{0,60}\b(?:refused|failed|unreachable|denied)|\btunneling socket|\bERR_PROXY/i,
  ],
  // A wrapper: "stream disconnected before completion: Rate limit reached …" is the limit.
  [
    "connection-lost",
    "wrapper",
    "always",
    /\b(?:response|stream) stalled\b|\bstream (?:was |has been )?(?:disconnected|closed|ended|interrupted|aborted) (?:before|unexpectedly|early|prematurely)/i,
  ],
  // After the connections: a CLI that cannot reach the service also prints "failed to authenticate" (fixture grok/resume-unknown).
  [
    "not-logged-in",
    "wrapper",
    "always",
    /\bfailed to authenticate|\b(?:failed|unable) to (?:log|sign) ?in\b|\b(?:log-?in|sign-?in) (?:failed|required|error)|\bauthori[sz]ation (?:error|failed|required)|\bauthentication (?:error|failed|failure)\b|\bfailed to (?:refresh|exchange|obtain|fetch|retrieve) (?:[\w-]+ ){0,3}tokens?\b|\btoken (?:exchange|refresh) failed|\bOAuth error\b|\bnot authori[sz]ed\b/i,
  ],
  [
    "server-error",
    "trace",
    "always",
    /\b(?:due to|because of|is) an? (?:\w+ )?server[ -](?:side )?(?:error|issue)|\bserver_error\b|\binternal server error\b|\bserver[ -]side (?:error|issue|problem|failure)|\bunexpected internal error|\borigin (?:error|is unreachable)|\b(?:upstream|backend|gateway) (?:error|failure)\b|\bupstream connect error|\bserver had an error|\berror occurred while processing your request|\bsomething went wrong on our (?:end|side)|\binternal error (?:has )?(?:been )?(?:occurred|encountered)|\b(?:provider|upstream) returned (?:an )?error|\bapi_error\b|\bstatus: UNAVAILABLE\b|"UNAVAILABLE"/i,
  ],
  [
    "upstream-timeout",
    "trace",
    "always",
    /\btime limit (?:was )?(?:exceeded|reached)|\bgave up waiting|\bwaited too long|\bno (?:data|bytes|events?|tokens|output)\b[^.\n]{0,20}\b(?:received|arrived)\b|\btook too long\b|\bdid not (?:respond|answer) (?:in time|within)|\bno (?:response|activity)\b.{0,40}\b(?:for|within|after) \d|\bdeadline (?:expired|exceeded)/i,
  ],
  // Weak: an advice that is given for other failures too.
  [
    "connection-failed",
    "trace",
    "always",
    /\b(?:check|verify) (?:your|the) (?:internet|network) (?:connection|access|settings)/i,
  ],
  // Weak: the network is named, and so is something wrong with it.
  [
    "connection-failed",
    "trace",
    "always",
    /\b(?:network|socket|dns|proxy|tls|ssl|certificate)s?\b[\w :-]{0,40}\b(?:fail\w*|error|refused|unreachable|lost|closed|invalid|unavailable|blocked)\b/i,
  ],
];
