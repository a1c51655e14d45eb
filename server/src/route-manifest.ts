import type { RouteOptions } from 'fastify'
import { pino } from 'pino'
import { type AppParts, buildApp } from './app.ts'
import { generateSigningKey, readSigningKeys } from './auth/keys.ts'
import { readConfig } from './config.ts'
import { openApiOf } from './openapi.ts'
import type { Deps } from './platform/deps.ts'
import { movableClock } from './platform/jobs/clock.ts'
import { printOpenApi } from './platform/openapi/openapi.ts'
import { createMetrics } from './platform/operations/metrics.ts'
import { startTelemetry } from './platform/operations/telemetry.ts'

/** Every route of the sandbox, without a database: for the OpenAPI document, and for tests of the architecture. */
export async function readRoutes(): Promise<readonly RouteOptions[]> {
  const config = readConfig({}, { sandbox: true, part: 'command' })
  const keys = await readSigningKeys(JSON.stringify(await generateSigningKey()))
  const deps = { db: { read: {} }, log: pino({ level: 'silent' }), clock: movableClock() } as unknown as Deps
  const state = { maintenance: () => false, refresh: async () => {}, stop: () => {} }
  const { app, routes } = await buildApp({
    config,
    deps,
    state,
    metrics: createMetrics(),
    telemetry: await startTelemetry({ endpoint: undefined, log: deps.log }),
    readiness: async () => ({ ready: true, checks: {} }),
    nodeId: '',
    own: { keys, pepper: '' },
    operator: { deps, pepper: '' },
    sandbox: {
      ...deps,
      faults: {},
      state,
      pepper: '',
      ownerUrl: '',
      matters: false,
      replan: async () => {},
    } as unknown as NonNullable<AppParts['sandbox']>,
    isStopping: () => false,
    isDraining: () => false,
  })
  await app.close()
  return routes
}

export const openApiText = async (): Promise<string> => printOpenApi(await openApiOf(await readRoutes()))
