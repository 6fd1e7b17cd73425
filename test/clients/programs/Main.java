// The main flow with what openapi-generator generates for Java.

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AssetsApi;
import org.openapitools.client.api.AuthApi;
import org.openapitools.client.api.JobsApi;
import org.openapitools.client.api.RulesApi;
import org.openapitools.client.api.WorkflowsApi;
import org.openapitools.client.model.*;

public class Main {
  public static void main(String[] arguments) throws Exception {
    Map<String, String> environment = System.getenv();
    ApiClient client = new ApiClient().setBasePath(environment.get("API_URL"));
    Credentials credentials =
        new Credentials().email(environment.get("EMAIL")).password(environment.get("PASSWORD"));
    client.setBearerToken(new AuthApi(client).authLogin(credentials).getAccessToken());

    RuleCreateInputRegexConfig config =
        new RuleCreateInputRegexConfig()
            .regexRuleConfig(new RegexRuleConfigInput().pattern("[a-z]+@example\\.org"));
    RuleCreateInputRegex regex =
        new RuleCreateInputRegex()
            .name("EMAIL")
            .type(RuleCreateInputRegex.TypeEnum.REGEX)
            .config(config);
    Rule rule = new RulesApi(client).rulesCreate(new RuleCreateInput(regex));
    ReplacementInput replacement =
        new ReplacementInput(new ReplacementInputText().text("[{{label}}]"));
    RuleEntryInput entry =
        new RuleEntryInput().ruleId(rule.getRuleRegex().getId()).replacement(replacement);
    WorkflowCreate newWorkflow =
        new WorkflowCreate()
            .name("Addresses")
            .supportedAssetType(WorkflowCreate.SupportedAssetTypeEnum.DOCUMENT)
            .config(new WorkflowConfigInput().rules(List.of(entry)));
    Workflow workflow = new WorkflowsApi(client).workflowsCreate(newWorkflow);

    JobsApi jobs = new JobsApi(client);
    Path letter = Files.createTempFile("letter", ".txt");
    Files.writeString(letter, "Write to ada@example.org.");
    String job = jobs.jobsUpload(List.of(letter.toFile()), "Letters", null, null, null).getId();
    Files.delete(letter);
    jobs.jobsUpdate(job, new JobsUpdateRequest().workflowId(workflow.getId()));
    jobs.jobsExecute(job);
    while (List.of(JobStatus.PENDING, JobStatus.IN_PROGRESS).contains(jobs.jobsStatus(job).getStatus())) {
      Thread.sleep(200);
    }
    String output = jobs.jobsGet(job).getResult().getAssets().get(0).getOutputAssetId();
    URI place = URI.create(new AssetsApi(client).assetsUrl(output).getUrl());
    HttpRequest download = HttpRequest.newBuilder(place).build();
    System.out.println(HttpClient.newHttpClient().send(download, BodyHandlers.ofString()).body());
    System.exit(0);
  }
}
