/** Where the buckets answer: the console sends files there and fetches them, by pre-signed URLs. */
function bucketOrigins(): string {
  const endpoint = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL
  return endpoint ? new URL(endpoint).origin : `https://*.s3.${process.env.AWS_REGION}.amazonaws.com`
}

/** Headers of the console's page: nothing is loaded from elsewhere, and no other page shows it. */
export function consolePolicy(): Record<string, string> {
  const buckets = bucketOrigins()
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' blob: data:",
      `connect-src 'self' ${buckets}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
    ].join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    'Cache-Control': 'no-cache',
  }
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The page that loads the console's program and style sheet of this build, and names whom people may log in by. */
export const consolePage = (
  build: string,
  program: string,
  providers: readonly { name: string; title: string }[],
): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="identity-providers" content="${escaped(JSON.stringify(providers.map(({ name, title }) => ({ name, title }))))}">
<title>Anonymisation</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="app.css?v=${build}">
<script type="module" src="${program}"></script>
<body><noscript>The console needs JavaScript. The interface of the service does not: see ../docs</noscript></body>
</html>
`
