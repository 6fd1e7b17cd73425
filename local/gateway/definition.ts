import { resourcesOf, type Template } from '../template.ts'

// biome-ignore lint/suspicious/noExplicitAny: the properties of a template are plain JSON of many shapes
export type Properties = any

/** The document that a REST API is made from, as far as the local cloud reads it. */
export type Definition = {
  paths: Record<string, Properties>
  'x-amazon-apigateway-binary-media-types': string[]
  /** Bytes from which answers are compressed; never where it is not given. */
  'x-amazon-apigateway-minimum-compression-size'?: number
  'x-amazon-apigateway-gateway-responses': Record<string, GatewayResponse>
}

/** What API Gateway answers by itself in one case. */
export type GatewayResponse = {
  statusCode: string
  responseParameters: Record<string, string>
  responseTemplates: Record<string, string>
}

/** The document of a template's REST API. */
export function readDefinition(template: Template): Definition {
  const [[, { Body }]] = resourcesOf(template, 'AWS::ApiGateway::RestApi') as [[string, { Body: Definition }]]
  return Body
}
