import type * as apigateway from 'aws-cdk-lib/aws-apigateway'
import * as waf from 'aws-cdk-lib/aws-wafv2'
import type { Construct } from 'constructs'

/** Requests in five minutes from one address, beyond which AWS WAF blocks it. */
const requestsPerAddress = 5000

/** Puts AWS WAF before the API: what AWS knows of common attacks, and a limit per address. */
export function addFirewall(scope: Construct, api: apigateway.RestApiBase) {
  const visibility = (metricName: string): waf.CfnWebACL.VisibilityConfigProperty => ({
    metricName,
    cloudWatchMetricsEnabled: true,
    // Samples would hold parts of requests.
    sampledRequestsEnabled: false,
  })
  const managed = (name: string, priority: number, countOnly: string[] = []): waf.CfnWebACL.RuleProperty => ({
    name,
    priority,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        ruleActionOverrides: countOnly.map(rule => ({ name: rule, actionToUse: { count: {} } })),
      },
    },
    visibilityConfig: visibility(name),
  })
  const firewall = new waf.CfnWebACL(scope, 'Firewall', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility('Firewall'),
    rules: [
      {
        name: 'RequestsPerAddress',
        priority: 0,
        action: { block: {} },
        statement: { rateBasedStatement: { limit: requestsPerAddress, aggregateKeyType: 'IP' } },
        visibilityConfig: visibility('RequestsPerAddress'),
      },
      managed('AWSManagedRulesAmazonIpReputationList', 1),
      managed('AWSManagedRulesKnownBadInputsRuleSet', 2),
      // Documents are larger than 8 KB and hold whatever people write: judged by their bodies, they would be refused.
      managed('AWSManagedRulesCommonRuleSet', 3, [
        'SizeRestrictions_BODY',
        'CrossSiteScripting_BODY',
        'GenericLFI_BODY',
        'GenericRFI_BODY',
      ]),
    ],
  })
  new waf.CfnWebACLAssociation(scope, 'FirewallAssociation', {
    resourceArn: api.deploymentStage.stageArn,
    webAclArn: firewall.attrArn,
  })
}
