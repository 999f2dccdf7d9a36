import { defineConfig } from 'vite';

import { preload } from './src/main/preload/plugin.js';
import { apiReference } from './src/main/reference/plugin.js';

// The Host stays that of the page, so that Hourglass sees the page and the data under one origin.
const hourglass = { target: process.env.HOURGLASS ?? 'http://127.0.0.1:8080', changeOrigin: false };

/** Where the chart is open at first; view and style know it too. */
const WIDE = '(min-width: 40.01rem)';

export default defineConfig({
  root: 'src/main/web',
  // Relative, so that the page works under any path it is served from.
  base: './',
  plugins: [apiReference('../query/src/main/resources/hourglass/openapi.yaml'), preload({ details: 'all', 'hits-chart': WIDE })],
  cacheDir: '../../../target/vite',
  build: {
    outDir: '../../../target/classes/hourglass/dashboard',
    emptyOutDir: true,
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ['src/main/web/index.html', 'src/main/web/api.html'] },
    reportCompressedSize: false,
    // The licences of what the page is made with go where the page goes.
    license: { fileName: 'licenses.md' },
  },
  // Not all of /api: sources are there too. `npm run dev` serves the sources and asks a running Hourglass for the data.
  server: {
    proxy: { '/api/v1': hourglass, '/openapi.yaml': hourglass, '/health': hourglass, '/metrics': hourglass },
  },
});
