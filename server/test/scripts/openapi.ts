import { resolve } from 'node:path'
import { openApiText } from '../../src/route-manifest.ts'
import { replaceFile } from './replace-file.ts'

// `npm run openapi`: writes openapi.json from the routes and their schemas.

await replaceFile(resolve(import.meta.dirname, '../../../openapi.json'), await openApiText())
