import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin } from 'vite'
import { brandStyleSheet } from './src/contract/appearance/brand.ts'
import { DEFAULT_BRAND } from './src/contract/appearance/tokens.ts'

/** In development, inserts the default brand colors where the product inserts those of the domain. */
const brandColors: Plugin = {
  name: 'default-brand-colors',
  apply: 'serve',
  transformIndexHtml: (page) =>
    page.replace('<!--boot-->', `<style>${brandStyleSheet(DEFAULT_BRAND)}</style>`),
}

/**
 * Builds a script of the public sites by itself. It uses modules that the back office uses, too, and would share files with it
 * that are large and that public sites don't have.
 */
const separateScript = (source: string): Plugin => ({
  name: 'separate-script',
  apply: 'build',
  async generateBundle() {
    const built = await build({
      configFile: false,
      logLevel: 'warn',
      build: { write: false, target: 'es2023', modulePreload: false, rolldownOptions: { input: source } },
    })
    const [result] = Array.isArray(built) ? built : [built]
    const chunks = result !== undefined && 'output' in result ? result.output : []
    const [chunk] = chunks
    if (chunk?.type !== 'chunk' || chunks.length > 1) throw new Error(`${source} isn't one script.`)
    // The manifest names it as it names the other scripts.
    const originalFileName = source.replace(/^src/, '..')
    this.emitFile({ type: 'asset', name: 'script.js', originalFileName, source: chunk.code })
  },
})

/**
 * Pages in the order users open them. Each chunk has the modules that a page needs and the earlier pages do not. With
 * automatic splitting, a page loaded 190 files, most of them smaller than 2 kB.
 */
const STAGES = [
  'identity/sign-in/SignInPage',
  'shell/layout/Shell',
  'customers/lots/LotsPage',
  'customers/lots/LotDrawer',
  'vehicles/vehicles/VehiclesPage',
  'identity/users/UserPage',
]

type Graph = { getModuleInfo: (id: string) => { importers: readonly string[] } | null }

/** The chunk group with all modules that the page imports directly or indirectly. The page itself stays in its own file. */
function stageOf(page: string, at: number) {
  const known = new Map<string, boolean>()
  const isNeeded = (id: string, graph: Graph): boolean => {
    const found = known.get(id)
    if (found !== undefined) return found
    known.set(id, false)
    const importers = graph.getModuleInfo(id)?.importers ?? []
    const isImported = importers.some((one) => one.endsWith(`/src/web/${page}.tsx`) || isNeeded(one, graph))
    known.set(id, isImported)
    return isImported
  }
  // A package exports everything from one module, so we cannot tell which page uses which part. Only the first page, which
  // must stay small, includes its packages, except the icons.
  const mayInclude = (id: string): boolean =>
    !id.includes('/node_modules/') || (at === 0 && !id.includes('/node_modules/@tabler/'))
  const name = page.split('/').at(-1) ?? page
  return {
    debugName: name,
    priority: STAGES.length - at,
    name: (id: string, graph: Graph): string | null =>
      mayInclude(id) && !id.endsWith('Page.tsx') && isNeeded(id, graph) ? name : null,
  }
}

// `#contract/…` and `#web/…` resolve through the "imports" field of package.json, as they do in Node.
export default defineConfig({
  root: 'src/web',
  plugins: [react(), brandColors, separateScript('src/public/browser/form-rules.ts')],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // Inlined images or fonts in the style sheet would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The pages of the back office, and the scripts of the public sites.
      input: {
        index: 'src/web/index.html',
        site: 'src/public/browser/site.ts',
        proof: 'src/public/browser/proof-worker.ts',
      },
      // Declarations of schemas and endpoints have no side effects, and constants are inlined. This way, a page that only
      // needs a number from the contract does not load the schemas and all of zod.
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
          // From the rule builder's theme: unused, but it would include all date pickers.
          'getCompatContextProvider',
        ],
      },
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: {
        // Short names, because the entry lists every file a page may need: full names would be 1/40 of what sign-in loads.
        // .vite/manifest.json maps the files to modules.
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: 'assets/[hash:6][extname]',
        codeSplitting: {
          // Needed before any schema. It must be first, because the next group would include everything it imports.
          groups: [
            { name: 'plain', test: /\/src\/contract\/(permissions|appearance\/)/, priority: 20 },
            {
              name: 'schemas',
              test: /\/node_modules\/zod\/|\/src\/contract\/(endpoint|fields|queried-list|identity\/(auth|session))/,
              priority: 19,
            },
            // Without the scripts of the public sites.
            { name: 'start', tags: ['$initial'], test: /^(?!.*\/(src\/public|altcha-lib)\/)/, priority: 18 },
            ...STAGES.map(stageOf),
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:8080' } },
})
