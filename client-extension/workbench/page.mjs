/** The one code block of a language under a heading of a page in Markdown. */
export function blockOf(page, heading, language) {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const blocks = [...section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))];
  if (blocks.length !== 1) throw new Error(`${blocks.length} blocks in ${language} under ${heading}`);
  return blocks[0][1];
}
