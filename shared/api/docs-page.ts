/** Leads to the reference of the API, which the console shows. Programs read the OpenAPI document. */
export const docsPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url=console/#/reference">
<link rel="icon" href="data:,">
<title>API reference</title>
<p><a href="console/#/reference">API reference</a>, <a href="openapi.json">OpenAPI document</a></p>
</html>
`
