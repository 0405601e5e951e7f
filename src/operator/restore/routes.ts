import { createRoute } from '@hono/zod-openapi'
import { findDatabase } from '../../db/databases/find-database.ts'
import { jsonBody, jsonRequest } from '../../http/body.ts'
import { invalidBody, invalidQuery } from '../../http/common-errors.ts'
import { ok, responses } from '../../http/envelope.ts'
import { byOperator } from '../../http/openapi/security.ts'
import { createRouter } from '../../http/router.ts'
import { requireOperator } from '../require-operator.ts'
import { picturePageSchema, picturesRequest, restoreRequest, restoreStepSchema } from './fields.ts'
import { continueRestore, restoreParts } from './continue-restore.ts'
import { listPictures, pictureSources } from './list-pictures.ts'
import { parseCursor } from './step-cursor.ts'

const tags = ['Operator']

const restoreRoute = createRoute({
  method: 'post',
  path: '/operator/restore',
  operationId: 'continueRestore',
  summary: 'Make a restored database right',
  description:
    'Ends all sessions and open links if the database has the accounts, deletes accounts, keys and tenants again that came back with it, and stores the rows of tenants that are younger than it. One step; call it with the `cursor` of the answer until that is null. `npm run restore` does.',
  tags,
  security: byOperator,
  middleware: [requireOperator, jsonBody] as const,
  request: { body: jsonRequest(restoreRequest, { database: 2 }) },
  responses: responses(restoreStepSchema, { deleted: 1, hosted: 0, cursor: 'confirm:' }),
})

const picturesRoute = createRoute({
  method: 'get',
  path: '/operator/pictures',
  operationId: 'listPictures',
  summary: 'List the pictures of a database',
  description:
    'A page of the keys that its rows need or allow in storage, then of those that storage has, of pictures older than `before`. `npm run restore` compares them.',
  tags,
  security: byOperator,
  middleware: [requireOperator] as const,
  request: { query: picturesRequest },
  responses: responses(picturePageSchema, {
    stored: [],
    needed: ['annotated/01890a5d-ac96-8002-bcce-b302099a8058/0b0b0b0b-0000-4000-8000-000000000000'],
    allowed: [],
    cursor: 'garments:01890a5d-ac96-8002-bcce-b302099a8058/coat-17',
  }),
})

const noDatabase = 'database: there is none with this number'
const badCursor = 'cursor: must be the cursor of the step before'

export const restoreRoutes = createRouter()
  .openapi(restoreRoute, async (c) => {
    const { database, cursor } = c.req.valid('json')
    const position = parseCursor(restoreParts, cursor)
    if (findDatabase(c.env, database) === null) throw invalidBody([noDatabase])
    if (position === null) throw invalidBody([badCursor])
    return ok(c, await continueRestore(c.env, database, position, Date.now()))
  })
  .openapi(picturesRoute, async (c) => {
    const { database, before, cursor } = c.req.valid('query')
    const position = parseCursor(pictureSources, cursor)
    if (findDatabase(c.env, database) === null) throw invalidQuery([noDatabase])
    if (position === null) throw invalidQuery([badCursor])
    return ok(c, await listPictures(c.env, database, position, Date.parse(before)))
  })
