/** Text of an OpenAPI document as HTML. */

export const escape = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The part of Markdown that our document uses: `code`, paragraphs and lists. */
export function prose(markdown = '') {
  return markdown.trim().split(/\n\s*\n/).filter(Boolean).map(block).join('');
}

/** The same within a line. */
export const line = (markdown = '') => escape(markdown.trim().replace(/\s+/g, ' ')).replace(/`([^`]+)`/g, '<code>$1</code>');

function block(text) {
  const items = text.split(/\n(?=- )/);
  return items.every((item) => item.startsWith('- ')) ? `<ul>${items.map((item) => `<li>${line(item.slice(2))}</li>`).join('')}</ul>` : `<p>${line(text)}</p>`;
}
