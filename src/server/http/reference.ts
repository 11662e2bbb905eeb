import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import type { Contract } from '#contract/endpoint.ts'
import { openApi } from '#contract/openapi.ts'

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API | Forecourt</title><link rel="icon" href="/favicon.svg"></head>
<body><main id="reference"></main><script src="/api/reference/files/js/scalar.js"></script><script src="/api/reference.js"></script></body></html>`

// The reference page must ask nobody but us: no fonts, no telemetry, no assistant.
const start = `Scalar.createApiReference('#reference', {
  url: '/api/openapi.json', withDefaultFonts: false, telemetry: false, showDeveloperTools: 'never',
  hideClientButton: true, mcp: { disabled: true }, agent: { disabled: true },
})`

/** The OpenAPI document of the contract and a page to read it. */
export async function serveReference(app: FastifyInstance, contract: Contract): Promise<void> {
  const document = JSON.stringify(openApi(contract))
  app.get('/api/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(document),
  )
  app.get('/api/reference', (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
  app.get('/api/reference.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(start))
  // Of the package only its script is used: its own page has a script inside, which our policy forbids.
  await app.register(scalar, {
    routePrefix: '/api/reference/files',
    configuration: { url: '/api/openapi.json' },
    hooks: {
      onRequest(request, reply, done) {
        if (request.url.endsWith('.js')) done()
        else reply.redirect('/api/reference')
      },
    },
  })
}
