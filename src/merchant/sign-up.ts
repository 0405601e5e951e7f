import type { Database } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { merchants } from '../db/schema.ts'
import { ApiError } from '../http/errors.ts'
import { hashPassword } from './password.ts'

export interface NewMerchant {
  readonly email: string
  readonly password: string
  readonly name: string
  readonly company: string
}

export async function signUp(db: Database, { password, ...fields }: NewMerchant, now: number) {
  const merchant = { id: newId(), ...fields, passwordHash: await hashPassword(password), createdAt: now }
  const inserted = await db.insert(merchants).values(merchant).onConflictDoNothing().returning({ id: merchants.id })
  if (inserted.length === 0)
    throw new ApiError(400, 'Email already exists', ['email: a merchant with this email already exists'])
  return { id: merchant.id, email: merchant.email, name: merchant.name }
}
