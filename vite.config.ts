import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { brandStyleSheet } from './src/contract/appearance/brand.ts'
import { DEFAULT_BRAND } from './src/contract/appearance/tokens.ts'

/** The development server writes the product's own colours where the real one writes those of the domain. */
const ownColours: Plugin = {
  name: 'own-colours',
  apply: 'serve',
  transformIndexHtml: (page) =>
    page.replace('<!--boot-->', `<style>${brandStyleSheet(DEFAULT_BRAND)}</style>`),
}

// `#contract/…` and `#web/…` resolve through the "imports" field of package.json, as they do in Node.
export default defineConfig({
  root: 'src/web',
  plugins: [react(), ownColours],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // A picture or font inside the style sheet would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Declaring a schema or an endpoint has no effect but its value, and a constant is its value: a page that only
      // needs a number from the contract does not carry the schemas (and all of zod) beside it.
      treeshake: {
        moduleSideEffects: [{ test: /\/src\/contract\//, sideEffects: false }],
        manualPureFunctions: [
          'z',
          'endpoint',
          'can',
          'line',
          'optionalLine',
          'listQuery',
          'queriedList',
          'defineList',
          // Of the skin of the rule builder: unused, it would bring all date pickers.
          'getCompatContextProvider',
        ],
      },
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: {
        // The entry lists every file that a page may need first: names would be a fortieth of what sign-in loads. Which
        // file is what stands in .vite/manifest.json.
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: 'assets/[hash:6][extname]',
        codeSplitting: {
          // Named apart, or they would be drawn into the entry by the constants it takes from the same files.
          groups: [
            // Of use before any schema; first, because the next group would take along whatever it imports.
            { name: 'plain', test: /\/src\/contract\/(permissions|appearance\/)/, priority: 1 },
            {
              name: 'schemas',
              test: /\/node_modules\/zod\/|\/src\/contract\/(endpoint|fields|queried-list|identity\/(auth|session))/,
            },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:8080' } },
})
