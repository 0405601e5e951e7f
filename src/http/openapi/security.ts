/** The values of `security` in a route: who may call it. */
export const byAnyone: [] = []
export const byApiKey = [{ ApiKey: [], Domain: [] }]
export const byAccessToken = [{ AccessToken: [] }]
export const byOperator = [{ OperatorToken: [] }]

export const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'API-KEY',
    description: 'An API key of the tenant. It is created in the dashboard or by `POST /merchant/tenant/api-key`.',
  },
  Domain: { type: 'apiKey', in: 'header', name: 'DOMAIN', description: "The tenant's domain." },
  AccessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `data.token` of `POST /merchant/sign-in`, valid for one hour.',
  },
  OperatorToken: { type: 'http', scheme: 'bearer', description: 'The `OPERATOR_TOKEN` of the service.' },
} as const
