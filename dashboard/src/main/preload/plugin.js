/**
 * Names in index.html what its first script will load, so that it comes beside that script and not behind it.
 *
 * @param {Record<string, string>} wanted the media for which a chunk is wanted, by its name
 */
export const preload = (wanted) => ({
  name: 'preload',
  transformIndexHtml(html, { path, bundle }) {
    if (path !== '/index.html' || !bundle) return html; // sources that are served have no chunks
    const chunks = Object.values(bundle);
    const named = new Map();
    for (const [name, media] of Object.entries(wanted)) {
      const { fileName, imports } = chunks.find((chunk) => chunk.name === name);
      for (const file of [fileName, ...imports]) if (!html.includes(file)) named.set(file, media);
    }
    return [...named].map(([file, media]) => ({ tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}`, media }, injectTo: 'head' }));
  },
});
