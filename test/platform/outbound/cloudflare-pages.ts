/**
 * Answers that Cloudflare itself gives to a Worker's `fetch` where it gets no answer from the host, written after its
 * documentation (Cloudflare 1xxx and 5xx errors) and the pages that sites behind it show: short plain text where HTML
 * was not asked for, else a page whose title names the code. `server` and `cf-ray` come with both.
 */
const platformHeaders = { server: 'cloudflare', 'cf-ray': '8f1c2d3e4a5b6c7d-FRA' }

export interface RecordedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const plainPage = (status: number, code: number): RecordedAnswer => ({
  status,
  headers: { ...platformHeaders, 'content-type': 'text/plain; charset=UTF-8' },
  body: `error code: ${code}`,
})

const htmlPage = (status: number, title: string, heading: string): RecordedAnswer => ({
  status,
  headers: { ...platformHeaders, 'content-type': 'text/html; charset=UTF-8' },
  body: `<!DOCTYPE html>
<!--[if lt IE 7]> <html class="no-js ie6 oldie" lang="en-US"> <![endif]-->
<!--[if IE 7]>    <html class="no-js ie7 oldie" lang="en-US"> <![endif]-->
<!--[if IE 8]>    <html class="no-js ie8 oldie" lang="en-US"> <![endif]-->
<!--[if gt IE 8]><!--> <html class="no-js" lang="en-US"> <!--<![endif]-->
<head>
<title>${title}</title>
<meta charset="UTF-8" />
<meta name="robots" content="noindex, nofollow" />
</head>
<body><div id="cf-wrapper"><div id="cf-error-details"><h1>${heading}</h1></div></div></body>
</html>
`,
})

export const originDnsPage = htmlPage(530, 'Origin DNS error | shop.example | Cloudflare', 'Error 1016')
export const refusedPage = htmlPage(521, 'shop.example | 521: Web server is down', 'Web server is down')
export const handshakePage = htmlPage(525, 'shop.example | 525: SSL handshake failed', 'SSL handshake failed')
