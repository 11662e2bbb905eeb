import fastify, { type FastifyInstance } from 'fastify'
import type { Contract } from '#contract/endpoint.ts'
import { openApi } from '#contract/openapi.ts'

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API | Forecourt</title><link rel="icon" href="/favicon.svg"></head>
<body><main id="reference"></main><script src="/api/reference/files/js/scalar.js"></script><script src="/api/reference.js"></script></body></html>`

// The reference page must not contact other servers: no fonts, no telemetry, no assistant.
const start = `Scalar.createApiReference('#reference', {
  url: '/api/openapi.json', withDefaultFonts: false, telemetry: false, showDeveloperTools: 'never',
  hideClientButton: true, mcp: { disabled: true }, agent: { disabled: true },
})`

/** Serves the OpenAPI document of the contract and a page that shows it. */
export async function serveReference(app: FastifyInstance, contract: Contract): Promise<void> {
  // Built on the first request, because it takes longer than the rest of the startup.
  let document: string | null = null
  app.get('/api/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(openApi(contract))
    return reply.type('application/json; charset=utf-8').send(document)
  })
  app.get('/api/reference', (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
  app.get('/api/reference.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(start))
  let script: Promise<string> | null = null
  app.get('/api/reference/files/js/scalar.js', async (_request, reply) => {
    script ??= readScript()
    return reply.type('application/javascript; charset=utf-8').send(await script)
  })
  for (const path of ['/api/reference/files', '/api/reference/files/*'])
    app.get(path, (_request, reply) => reply.redirect('/api/reference'))
}

/**
 * The package's script. We don't use its page, because that has an inline script, which our content security policy forbids.
 * The script is four megabytes, so the package is loaded when the page is first opened.
 */
async function readScript(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const inner = fastify()
  try {
    await inner.register(scalar, { routePrefix: '/', configuration: { url: '/api/openapi.json' } })
    return (await inner.inject('/js/scalar.js')).body
  } finally {
    await inner.close()
  }
}
