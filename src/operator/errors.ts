import { ApiError } from '../http/errors.ts'

export const notHealthy = (problem: string) => new ApiError('not_healthy', 'Not healthy', [problem])
