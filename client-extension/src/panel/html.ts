// The page of the panel: nothing remote, no inline code, scripts only with this load's nonce.
import { randomBytes } from "node:crypto";

/** Where the page is shown; it has the colours of what is around it. */
export type Place = "sideBar" | "editor";

export interface Sources {
  readonly script: string;
  readonly style: string;
  /** What the editor calls the origin of its own files. */
  readonly origin: string;
  readonly place: Place;
}

export function page(sources: Sources, nonce = randomBytes(16).toString("base64url")): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${sources.origin}`,
    "img-src 'none'",
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escaped(sources.style)}">
<title>Lurcher</title>
</head>
<body data-place="${sources.place}">
<main id="root"></main>
<script nonce="${nonce}" src="${escaped(sources.script)}"></script>
</body>
</html>`;
}

function escaped(text: string): string {
  return text.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
