import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { brandStyleSheet } from './src/contract/appearance/brand.ts'
import { DEFAULT_BRAND } from './src/contract/appearance/tokens.ts'

/** The development server writes the product's own colours where the real one writes those of the domain. */
const brandColors: Plugin = {
  name: 'own-colours',
  apply: 'serve',
  transformIndexHtml: (page) =>
    page.replace('<!--boot-->', `<style>${brandStyleSheet(DEFAULT_BRAND)}</style>`),
}

/**
 * What people open one after another. What one of these needs and those before it do not is one file. Split by the pages
 * that share it alone, a page came in 190 files, most of them smaller than 2 kB.
 */
const STAGES = [
  'identity/sign-in/SignInPage',
  'shell/layout/Shell',
  'customers/lots/LotsPage',
  'customers/lots/LotDrawer',
  'inventory/vehicles/VehiclesPage',
  'identity/users/UserPage',
]

type Graph = { getModuleInfo: (id: string) => { importers: readonly string[] } | null }

/** The group of all modules that the page imports, directly or not. The page itself keeps a file of its own. */
function stageOf(page: string, at: number) {
  const known = new Map<string, boolean>()
  const isNeeded = (id: string, graph: Graph): boolean => {
    const found = known.get(id)
    if (found !== undefined) return found
    known.set(id, false)
    const importers = graph.getModuleInfo(id)?.importers ?? []
    const isOne = importers.some((one) => one.endsWith(`/src/web/${page}.tsx`) || isNeeded(one, graph))
    known.set(id, isOne)
    return isOne
  }
  // Packages export everything from one module: what a page takes from them is not known here. For the first page, which
  // must stay small, it is all that it takes, but for the icons.
  const mayTake = (id: string): boolean =>
    !id.includes('/node_modules/') || (at === 0 && !id.includes('/node_modules/@tabler/'))
  const name = page.split('/').at(-1) ?? page
  return {
    debugName: name,
    priority: STAGES.length - at,
    name: (id: string, graph: Graph): string | null =>
      mayTake(id) && !id.endsWith('Page.tsx') && isNeeded(id, graph) ? name : null,
  }
}

// `#contract/…` and `#web/…` resolve through the "imports" field of package.json, as they do in Node.
export default defineConfig({
  root: 'src/web',
  plugins: [react(), brandColors],
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
          // Of use before any schema; first, because the next group would take along whatever it imports.
          groups: [
            { name: 'plain', test: /\/src\/contract\/(permissions|appearance\/)/, priority: 20 },
            {
              name: 'schemas',
              test: /\/node_modules\/zod\/|\/src\/contract\/(endpoint|fields|queried-list|identity\/(auth|session))/,
              priority: 19,
            },
            { name: 'start', tags: ['$initial'], priority: 18 },
            ...STAGES.map(stageOf),
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:8080' } },
})
