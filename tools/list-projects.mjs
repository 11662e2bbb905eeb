// Prints the names of the projects in vitest.config.ts as JSON. Runs on Node 24, which reads TypeScript.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const { default: config } = await import(pathToFileURL(resolve('vitest.config.ts')).href)
console.log(JSON.stringify(config.test.projects.map(({ test }) => test.name)))
